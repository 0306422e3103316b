import { createServer, type AddressInfo, type Socket } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { imapServer, type ImapServer } from "#server/testing/imap-server.ts";
import type { BounceMail } from "../bounce-mailbox.ts";
import { ImapBounceMailbox } from "./bounce-mailbox.ts";
import { smtpSettings } from "./settings.ts";
import { autoReply, postfix } from "./testing/bounces.ts";

let imap: ImapServer;
beforeEach(async () => {
  imap = await imapServer();
});
afterEach(() => imap.close());

function mailbox(changes: object = {}, limits?: ConstructorParameters<typeof ImapBounceMailbox>[2]) {
  const settings = {
    host: "127.0.0.1",
    fromEmail: "office@maple.example",
    imapHost: "127.0.0.1",
    imapPort: imap.port,
    imapSecurity: "off",
    imapUser: imap.user,
    imapPassword: imap.password,
  };
  return new ImapBounceMailbox(smtpSettings.parse({ ...settings, ...changes }), null, limits);
}

const never = new AbortController().signal;
const about = { messageId: `d7.${"0".repeat(32)}@maple.example` };

test("the password is never sent unencrypted if encryption is required", async () => {
  expect(await mailbox({ imapSecurity: "required" }).check()).toMatchObject({
    ok: false,
    detail: "The IMAP server doesn't offer STARTTLS. Try TLS from the start (port 993).",
  });
  expect(await mailbox({ imapSecurity: "implicit" }).check()).toMatchObject({
    ok: false,
    detail: "The IMAP server doesn't speak TLS here. Try STARTTLS (port 143).",
  });
  expect(imap.commands.join()).not.toContain("LOGIN");
});

test("a large mailbox is read in batches, and only accepted bounces are marked as read", async () => {
  for (let mail = 0; mail < 201; mail += 1) imap.receive(autoReply(about));
  imap.receive(postfix(about));
  imap.receive(postfix({ messageId: "another@elsewhere.example" }));
  const handed: BounceMail[] = [];
  const taken = (mail: BounceMail) => Promise.resolve(handed.push(mail) === 1);
  const first = await mailbox().read(null, taken, never);
  expect(first).toEqual({ ok: true, position: { uidValidity: "1", lastUid: 200 }, more: true });
  expect(handed).toEqual([]);
  const second = await mailbox().read({ uidValidity: "1", lastUid: 200 }, taken, never);
  expect(second).toEqual({ ok: true, position: { uidValidity: "1", lastUid: 203 }, more: false });
  expect(handed).toHaveLength(2);
  expect(imap.mails.filter(({ flags }) => flags.size > 0).map(({ uid }) => uid)).toEqual([202]);
});

test("a bounce that couldn't be stored is not marked as read, and the error reaches the caller", async () => {
  imap.receive(postfix(about));
  const failing = () => Promise.reject(new Error("The database is away"));
  await expect(mailbox().read(null, failing, never)).rejects.toThrow("The database is away");
  expect(imap.mails[0]!.flags.size).toBe(0);
});

test("a huge header doesn't end the read", async () => {
  imap.receive(`Content-Type: text/plain; name="${"x".repeat(600 * 1024)}"\r\n\r\nHello`);
  imap.receive(postfix(about));
  const handed: BounceMail[] = [];
  const read = await mailbox().read(null, (mail) => Promise.resolve(handed.push(mail) > 0), never);
  expect(read).toEqual({ ok: true, position: { uidValidity: "1", lastUid: 2 }, more: false });
  expect(handed).toHaveLength(1);
});

test("a refused search is not an empty mailbox", async () => {
  imap.receive(postfix(about));
  imap.fault = (command) => (command.startsWith("UID SEARCH") ? "NO" : undefined);
  expect(await mailbox().read(null, () => Promise.resolve(true), never)).toEqual({
    ok: false,
    of: "unavailable",
    code: "connection_lost",
    detail: "The IMAP server refused to search the mailbox.",
  });
});

test("what a slow or flaky server let us read is not read again", async () => {
  for (let mail = 0; mail < 3; mail += 1) imap.receive(postfix(about));
  const taken = () => Promise.resolve(true);
  const upTo = (lastUid: number) => ({ uidValidity: "1", lastUid });
  const slow = mailbox({}, { readingMs: 0, connectionMs: 5000 });
  expect(await slow.read(null, taken, never)).toEqual({ ok: true, position: upTo(1), more: true });
  expect(imap.mails.map(({ flags }) => flags.size)).toEqual([1, 0, 0]);

  imap.fault = (command) => (/^UID FETCH 3 .*INTERNALDATE/.test(command) ? "hang up" : undefined);
  expect(await mailbox().read(upTo(1), taken, never)).toMatchObject({ ok: false, position: upTo(2) });

  imap.fault = (command) => (command.startsWith("UID FETCH") ? "silence" : undefined);
  const slower = mailbox({}, { readingMs: 0, connectionMs: 200 });
  expect(await slower.read(upTo(2), taken, never)).toEqual({
    ok: false,
    of: "unavailable",
    code: "ETIMEOUT",
    detail: "The IMAP server is too slow.",
  });
});

test("a connection test ends in time", async () => {
  imap.fault = (command) => (command.startsWith("SELECT") ? "silence" : undefined);
  expect(await mailbox({}, { checkMs: 200 }).check()).toEqual({
    ok: false,
    of: "unavailable",
    code: "timeout",
    detail: "The IMAP server didn't answer in time.",
  });
});

test("a read that is aborted before it connects doesn't connect", async () => {
  const stop = new AbortController();
  const reading = mailbox().read(null, () => Promise.resolve(true), stop.signal);
  stop.abort();
  expect(await reading).toMatchObject({ ok: false });
  expect(imap.connections).toBe(0);
});

test("an unresponsive server doesn't delay shutdown", async () => {
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket.on("error", () => undefined)));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const stop = new AbortController();
  const { port } = silent.address() as AddressInfo;
  const reading = mailbox({ imapPort: port }).read(null, () => Promise.resolve(true), stop.signal);
  await expect.poll(() => sockets.length).toBe(1);
  stop.abort();
  // It ends because of us, before any of the connection's own limits.
  expect(await reading).toMatchObject({ ok: false, code: expect.not.stringContaining("TIMEOUT") });
  sockets[0]!.destroy();
  await new Promise((resolve) => silent.close(resolve));
});
