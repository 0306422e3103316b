import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { connect } from "#server/db/database.ts";
import type { Db } from "#server/db/database.ts";
import { migrate } from "#server/db/migrate.ts";
import { recordAccounts } from "#server/delivery/accounts.ts";
import { openTransports } from "#server/delivery/open-transports.ts";
import { adapters } from "#server/delivery/transports/registry.ts";
import { smtpAccount, smtpServers } from "#server/delivery/transports/smtp/environment.ts";
import { startRun } from "#server/delivery/start-run.ts";
import { startWorker } from "#server/delivery/worker.ts";
import { content, person, sender } from "./message.ts";
import type { Task } from "./message.ts";

/** From the click until every delivery is recorded as accepted and the notification says Delivered. */
export async function throughEngine(task: Task): Promise<{ seconds: number }> {
  const { port, connections, databaseUrl } = task;
  const db = connect(databaseUrl);
  await migrate(db);
  const notificationId = await prepare(db, task);

  const accounts = smtpServers(`smtp://127.0.0.1:${port}`).map((server) =>
    smtpAccount(server, { from: "office@maple.example", connections }),
  );
  await recordAccounts(db, accounts);
  const transports = openTransports(accounts, adapters);
  const worker = startWorker({
    db,
    listenUrl: databaseUrl,
    transports,
    linksFor: (token) => ({
      unsubscribe: `https://maple.example/u/${token}`,
      preferences: `https://maple.example/p/${token}`,
    }),
    log: { info: () => undefined, warn: console.warn, error: console.error },
  });
  await until(db, sql`SELECT FROM accounts WHERE source = 'environment' AND state = 'ok'`);

  const started = performance.now();
  await startRun(db, notificationId, {
    organization: () => Promise.resolve({ sender, timeZone: "America/New_York" }),
  });
  await until(db, sql`SELECT FROM notifications WHERE id = ${notificationId} AND status = 'Delivered'`);
  const seconds = (performance.now() - started) / 1000;

  await worker.stop();
  await transports.close();
  await db.destroy();
  return { seconds };
}

async function prepare(db: Db, { messages }: Task): Promise<number> {
  const people = Array.from({ length: messages }, (_, index) => person(index + 1));
  await sql`
    INSERT INTO users (username, email, first_name, last_name, role, property_unit)
    SELECT address, address, first_name, '', 'tenant', unit
    FROM unnest(${people.map((p) => p.address)}::text[], ${people.map((p) => p.firstName)}::text[],
      ${people.map((p) => p.unit)}::text[]) p (address, first_name, unit)`.execute(db);
  const notification = await sql<{ id: number }>`
    INSERT INTO notifications (title, message_type, content, channels, audience, audience_text, status, created_by_name)
    SELECT ${content.title}, 'custom', ${content.content}, '{email}',
      jsonb_build_array(jsonb_build_object('type', 'group', 'id', id, 'name', name)), name, 'Draft', 'Bench'
    FROM user_groups WHERE name = 'Everyone' RETURNING id`.execute(db);
  const [stored] = notification.rows;
  if (!stored) throw new Error("There is no group Everyone.");
  return stored.id;
}

async function until(db: Db, question: ReturnType<typeof sql>): Promise<void> {
  for (;;) {
    const { rows } = await question.execute(db);
    if (rows.length > 0) return;
    await sleep(10);
  }
}
