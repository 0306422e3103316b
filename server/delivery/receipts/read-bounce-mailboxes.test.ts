import { sql } from "kysely";
import { afterEach, beforeEach, expect, test } from "vitest";
import { imapServer, type ImapServer } from "#server/testing/imap-server.ts";
import { until } from "#server/testing/until.ts";
import { statuses } from "../testing/run-totals.ts";
import { withEngines } from "../testing/engine.ts";
import { addPerson, send } from "../testing/scene.ts";
import { smtpAccount, smtpServers } from "../transports/smtp/environment.ts";
import { autoReply, exim, postfix, postfixDelayed } from "../transports/smtp/testing/bounces.ts";
import { scriptedServer, type ScriptedServer } from "../transports/smtp/testing/scripted-server.ts";

/** Sends over SMTP and reads the bounces over IMAP, on two real connections. */

const engine = withEngines();
let mail: ScriptedServer;
let imap: ImapServer;

beforeEach(async () => {
  mail = await scriptedServer({ ehlo: () => "250-test\r\n250-PIPELINING\r\n250 DSN" });
  imap = await imapServer();
});
afterEach(async () => {
  await mail.close();
  await imap.close();
});

function account() {
  const [server] = smtpServers(`smtp://127.0.0.1:${mail.port}`);
  const one = smtpAccount(server!, { from: "office@maple.example", connections: 1 });
  const mailbox = {
    imapHost: "127.0.0.1",
    imapPort: imap.port,
    imapSecurity: "off",
    imapUser: imap.user,
    imapPassword: imap.password,
  };
  return { ...one, settings: { ...one.settings, ...mailbox } };
}

/** Sends a run to these people. Returns their Message-IDs by address. */
async function sentTo(...addresses: string[]): Promise<{ runId: number; ids: Record<string, string> }> {
  for (const email of addresses) await addPerson(engine.db, { email });
  await engine.start([account()]);
  const { runId } = await send(engine.db);
  await until(async () => expect(await statuses(engine.db, runId)).toEqual({ accepted: addresses.length }));
  const ids = mail.taken.map((content) => [
    /^To: .*?([\w.]+@[\w.]+)/m.exec(content)![1]!,
    /^Message-ID: <(.*)>/m.exec(content)![1]!,
  ]);
  return { runId, ids: Object.fromEntries(ids) as Record<string, string> };
}

/** Waits until everything in the mailbox has been read and applied. */
async function read(): Promise<void> {
  // A read in progress overwrites the next read's time when it ends.
  await until(async () => expect(await waiting()).toBe(1));
  const before = imap.connections;
  await sql`UPDATE bounce_mailboxes SET next_read_at = now()`.execute(engine.db);
  await until(async () => {
    // One connection, however many workers there are.
    expect([imap.connections - before, await waiting()]).toEqual([1, 1]);
    // Looked at only once it has been read: until then there are none yet.
    const open = await sql`SELECT FROM receipts WHERE processed_at IS NULL`.execute(engine.db);
    expect(open.rows).toEqual([]);
  });
}

/** Mailboxes that aren't being read. */
async function waiting(): Promise<number> {
  const { rows } = await sql`SELECT FROM bounce_mailboxes
    WHERE next_read_at > now() AND next_read_at < now() + interval '2 minutes'`.execute(engine.db);
  return rows.length;
}

const suppressed = async () =>
  (
    await sql<{ address: string }>`SELECT address FROM suppressions ORDER BY address`.execute(engine.db)
  ).rows.map(({ address }) => address);
const events = async () =>
  (
    await sql<{ kind: string; address: string; detail: string }>`
      SELECT e.kind, d.address, e.detail FROM delivery_events e JOIN deliveries d ON d.id = e.delivery_id
      ORDER BY e.id`.execute(engine.db)
  ).rows;
const unread = () => imap.mails.filter(({ flags }) => !flags.has("\\Seen")).map(({ uid }) => uid);

test("a bounce settles its delivery, suppresses the address, and is marked as read", async () => {
  const { runId, ids } = await sentTo(
    "ann@example.com",
    "bob@example.com",
    "cem@example.com",
    "dee@example.com",
    "eve@example.com",
  );
  const mails = mail.commands.filter((command) => command.includes("MAIL FROM"));
  expect(mails).toContain(
    `1 MAIL FROM:<office@maple.example> RET=HDRS ENVID=${ids["ann@example.com"]!.split("@")[0]}`,
  );
  expect(mail.commands).toContain("1 RCPT TO:<ann@example.com> NOTIFY=FAILURE,DELAY");
  imap.receive(postfix({ messageId: ids["ann@example.com"]!, to: "Ann@EXAMPLE.com" }));
  imap.receive(exim({ messageId: ids["bob@example.com"]!, to: "bob@example.com" }, "552 5.2.2 Mailbox full"));
  imap.receive(postfixDelayed({ messageId: ids["cem@example.com"]!, to: "cem@example.com" }));
  imap.receive(autoReply({ messageId: ids["dee@example.com"]! }));
  // Eve's mailbox forwards to an address that no longer exists.
  imap.receive(postfix({ messageId: ids["eve@example.com"]!, to: "old@elsewhere.example" }));
  await read();
  expect(await statuses(engine.db, runId)).toEqual({ accepted: 3, bounced: 2 });
  expect(await suppressed()).toEqual(["ann@example.com"]);
  expect(await events()).toEqual([
    {
      kind: "bounced",
      address: "ann@example.com",
      detail: expect.stringContaining("5.1.1 <ann@example.com>: Rec"),
    },
    { kind: "bounced", address: "bob@example.com", detail: "5.2.2 Mailbox full" },
    { kind: "delayed", address: "cem@example.com", detail: expect.stringContaining("Connection timed out") },
    {
      kind: "bounced",
      address: "eve@example.com",
      detail: expect.stringMatching(/^For old@elsewhere\.example, not for this address: 5\.1\.1 /),
    },
  ]);
  expect(unread()).toEqual([4]);
});

test("one recipient can't forge another's bounce, and unrelated email is left alone", async () => {
  const { runId, ids } = await sentTo("ann@example.com", "bob@example.com");
  const [ann, bob] = [ids["ann@example.com"]!, ids["bob@example.com"]!];
  // Bob knows his own Message-ID and the scheme.
  imap.receive(postfix({ messageId: bob.replace(/^d\d+/, ann.split(".")[0]!) }));
  imap.receive(postfix({ messageId: "20261125.abc@elsewhere.example" }));
  imap.receive(postfix({ messageId: `d999999.${"0".repeat(32)}@maple.example` }));
  await read();
  expect(await statuses(engine.db, runId)).toEqual({ accepted: 2 });
  expect([await suppressed(), unread()]).toEqual([[], [1, 2, 3]]);
});

test("one-time links that servers quote are not stored", async () => {
  const { ids } = await sentTo("ann@example.com");
  const link = "https://maple.example/set-password/Zk9vQ2hKc0xwVGd3bWFyYQ-_123";
  const bounce = exim({ messageId: ids["ann@example.com"]! }, `550 5.7.1 ${link} is on a list`);
  imap.receive(bounce.replace("Hello Ann", `Hello Ann\r\n\r\n${link}`));
  await read();
  expect(await events()).toMatchObject([
    { detail: "5.7.1 https://maple.example/set-password/******** is on a list" },
  ]);
  const kept = await sql<{ text: string }>`
    SELECT concat(c.body::text, encode(c.body, 'escape'), r.event, d.detail) AS text
    FROM webhook_calls c JOIN receipts r ON r.call_id = c.id JOIN deliveries d ON d.id = r.delivery_id`.execute(
    engine.db,
  );
  expect(kept.rows).toHaveLength(1);
  expect(kept.rows[0]!.text).not.toContain("Zk9vQ2hK");
});

test("each bounce counts once: with several workers, and when the mailbox's UIDVALIDITY changes", async () => {
  const { runId, ids } = await sentTo("ann@example.com", "bob@example.com");
  await engine.start([account()]);
  imap.receive(postfixDelayed({ messageId: ids["ann@example.com"]! }));
  await read();
  expect(await events()).toMatchObject([{ kind: "delayed" }]);

  for (const one of imap.mails) one.uid += 100;
  imap.uidValidity = 2;
  const bounce = postfix({ messageId: ids["bob@example.com"]!, to: "bob@example.com" });
  // Bounces older than a week are ignored.
  imap.receive(bounce, new Date(Date.now() - 9 * 24 * 3_600_000));
  await read();
  expect(await statuses(engine.db, runId)).toEqual({ accepted: 2 });
  imap.receive(bounce);
  await read();
  expect(await statuses(engine.db, runId)).toEqual({ accepted: 1, bounced: 1 });
  expect((await events()).map(({ kind }) => kind)).toEqual(["delayed", "bounced"]);

  imap.commands.length = 0;
  await read();
  expect(imap.commands).toContain("UID SEARCH UID 104:*");
  expect(imap.commands.filter((line) => /FETCH|STORE|EXPUNGE|MOVE|COPY|CLOSE/.test(line))).toEqual([]);
});

test("a mailbox that can't be opened shows why, and its account keeps sending", async () => {
  const { runId } = await sentTo("ann@example.com");
  const found = async () =>
    (
      await sql`SELECT b.problem, a.state FROM bounce_mailboxes b JOIN accounts a ON a.id = b.account_id`.execute(
        engine.db,
      )
    ).rows;
  const { password } = imap;
  imap.password = "changed";
  await read();
  expect(await found()).toEqual([
    { problem: "127.0.0.1 didn't let bounces@maple.example in: Authentication failed.", state: "ok" },
  ]);
  imap.password = password;
  await read();
  expect(await found()).toEqual([{ problem: null, state: "ok" }]);
  expect(await statuses(engine.db, runId)).toEqual({ accepted: 1 });
});
