import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { SMTP_CONNECTIONS } from "./accounts.ts";
import type { Fault } from "./fault.ts";
import type { World } from "./world.ts";

const midRun = { provider: "smtp", people: { small: 2000, large: 50_000 } } as const;

/** What staff do while messages go out. */
export const interventions: readonly Fault[] = [
  { ...midRun, name: "cancelled in the middle of a run", run: cancelled },
  { ...midRun, name: "paused in the middle of a run", run: paused },
  { ...midRun, name: "edited in the middle of a run", run: edited },
];

async function cancelled(world: World, people: number): Promise<string> {
  const call = await world.console();
  await Promise.all([world.start(), world.start()]);
  await world.connected();
  const { notificationId } = await world.send(people);
  await world.arrivals(people / 10);
  const started = performance.now();
  await call("POST", `/api/notifications/${notificationId}/cancel`);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const before = world.provider.arrived.length;
  await world.finished();
  await sleep(1000);
  const after = world.provider.arrived.length - before;
  if (after > 2 * SMTP_CONNECTIONS) throw new Error(`${after} messages arrived after the cancellation.`);
  if (world.provider.arrived.length === people) throw new Error("Nothing was left to cancel.");
  return `Cancelling took ${seconds} s, ${after} arrived afterwards.`;
}

/** The account is turned off, and on again. */
async function paused(world: World, people: number): Promise<string> {
  const turn = (on: boolean) =>
    sql`UPDATE accounts SET enabled = ${on} WHERE source = 'environment'`.execute(world.db);
  await Promise.all([world.start(), world.start()]);
  await world.connected();
  await world.send(people);
  await world.arrivals(people / 10);
  await turn(false);
  await sleep(1500);
  const before = world.provider.arrived.length;
  await sleep(2000);
  const after = world.provider.arrived.length - before;
  if (after > 0) throw new Error(`${after} messages arrived while the account was off.`);
  if (before === people) throw new Error("Nothing was left to pause.");
  await turn(true);
  await world.finished();
  return `Stopped at ${before}.`;
}

/** Each message says what was on record for its person when the run started, even if they were renamed during it. */
async function compareTexts({ db, provider }: World, runId: number): Promise<void> {
  const { rows } = await sql<{ address: string; name: string }>`
    SELECT address, field_values ->> 'first_name' AS name FROM deliveries WHERE run_id = ${runId}`.execute(
    db,
  );
  const names = new Map(rows.map(({ address, name }) => [address, name]));
  // Quoted-printable, as far as this sentence needs it.
  const plain = (text: string) => text.replaceAll("=\r\n", "").replaceAll("=20", " ");
  const wrong = provider.arrived.filter(({ to, text }) => !plain(text).includes(`Hello ${names.get(to)},`));
  if (wrong.length > 0) throw new Error(`${wrong.length} messages differ from the record.`);
}

/** What was sent stays as it was; people who opt out in time get nothing. */
async function edited(world: World, people: number): Promise<string> {
  const call = await world.console();
  await Promise.all([world.start(), world.start()]);
  await world.connected();
  const { notificationId, runId } = await world.send(people);
  await world.arrivals(people / 10);
  const refusal = await call("PATCH", `/api/notifications/${notificationId}`, { title: "Water on" }).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!refusal) throw new Error("A notification that is going out was changed.");
  // Those who are last: most of them still wait.
  const { rows } = await sql<{ id: number }>`
    UPDATE users SET channels = 0, first_name = 'Gone' WHERE id IN (SELECT id FROM users ORDER BY id DESC LIMIT ${people / 4})
    RETURNING id`.execute(world.db);
  await sql`UPDATE users SET first_name = 'Renamed' WHERE channels <> 0 AND id % 2 = 0`.execute(world.db);
  await world.finished();
  await compareTexts(world, runId);
  const skipped = await world.ask(sql<{ count: number }>`SELECT count(*)::int AS count FROM deliveries
    WHERE run_id = ${runId} AND status = 'skipped' AND reason = 'opted-out'`);
  if (skipped.count === 0) throw new Error("No one opted out in time.");
  return `${skipped.count} of ${rows.length} opted out in time.`;
}
