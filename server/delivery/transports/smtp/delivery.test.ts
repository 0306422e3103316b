import type { AddressInfo } from "node:net";
import PostalMime from "postal-mime";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, describe, expect, test } from "vitest";
import type { SmtpTransport } from "./transport.ts";
import { message, runContent, send, sendOne } from "../testing/sending.ts";
import { transportTo } from "./testing/transport-to.ts";

/** Sends through a real third-party SMTP server. */

type Received = { envelope: { from: string; to: string[] }; secure: boolean; user?: string; raw: Buffer };

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function mailServer(options: SMTPServerOptions = {}): Promise<{ port: number; received: Received[] }> {
  const received: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    hideSTARTTLS: true,
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          envelope: { from: mailFrom ? mailFrom.address : "", to: rcptTo.map(({ address }) => address) },
          secure: session.secure,
          user: session.user,
          raw: Buffer.concat(chunks),
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  return { port: (server.server.address() as AddressInfo).port, received };
}

function opened(transport: SmtpTransport): SmtpTransport {
  cleanups.push(() => transport.close());
  return transport;
}

describe("a run over SMTP", () => {
  test("reaches each recipient once, with their own text and the same attachments", async () => {
    const server = await mailServer();
    const transport = opened(
      transportTo(`smtp://127.0.0.1:${server.port}`, { connections: 4, from: "Maple <o@m.example>" }),
    );
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * index) % 251));
    const text = "Dear {{first_name}},\n.\n..two dots\n{{property_unit}}\n.";
    const content = runContent({ title: "{{first_name}}: Wasser weg 🚿", content: text }, [
      { name: "Plan für Mai.pdf", type: "application/pdf", bytes },
    ]);
    const names = ["Ann", "Йосиф", "دانا", "שרה", ".", "A\r\nBcc: x@y.example", 'O\'Neil, "Bob" <b>'];
    const messages = names.map((name, index) =>
      message(index, { name, content, values: { first_name: name, property_unit: `.${index}` } }),
    );
    const { outcomes, begun } = await send(transport, messages);
    expect([...outcomes.values()].map(({ kind }) => kind)).toEqual(names.map(() => "accepted"));
    expect(new Set(begun)).toEqual(new Set(names.keys()));
    expect(begun).toHaveLength(names.length);
    expect(server.received).toHaveLength(names.length);

    // Names of the other direction are set apart by marks (contract/text/isolate.ts).
    const unmarked = (text = "") => text.replaceAll(/[\u2068\u2069]/g, "");
    for (const [index, name] of names.entries()) {
      const mail = server.received.find(({ envelope }) => envelope.to[0] === `tenant${index}@example.com`)!;
      const parsed = await PostalMime.parse(mail.raw);
      const oneLine = name.replace("\r\n", " ");
      expect(mail.envelope).toEqual({ from: "o@m.example", to: [`tenant${index}@example.com`] });
      expect(parsed.from).toEqual({ name: "Maple", address: "o@m.example" });
      expect(parsed.to).toEqual([{ name: oneLine, address: `tenant${index}@example.com` }]);
      expect(unmarked(parsed.subject)).toBe(`${oneLine}: Wasser weg 🚿`);
      expect(unmarked(parsed.text)).toContain(
        `Dear ${name.replace("\r\n", "\n")},\n.\n..two dots\n.${index}\n.\n\nAttached: Plan für Mai.pdf (100 KB)\n\n-- \n`,
      );
      expect(parsed.html).toContain(`https://maple.example/p/T${index}`);
      expect(parsed.attachments[0]).toMatchObject({
        filename: "Plan für Mai.pdf",
        mimeType: "application/pdf",
      });
      expect(Buffer.from(parsed.attachments[0]!.content as ArrayBuffer).equals(bytes)).toBe(true);
      expect(outcomes.get(index)).toMatchObject({ messageId: parsed.messageId!.slice(1, -1) });
    }
  });

  test("a second attempt has the same Message-ID, another delivery a different one", async () => {
    const server = await mailServer();
    const transport = opened(transportTo(`smtp://127.0.0.1:${server.port}`));
    await send(transport, [message(5), message(6)]);
    await send(transport, [message(5, { attempt: 2 })]);
    const ids = await Promise.all(
      server.received.map(async ({ raw }) => (await PostalMime.parse(raw)).messageId),
    );
    expect(ids[2]).toBe(ids[0]);
    expect(ids[1]).not.toBe(ids[0]);
  });

  test("an email above the server's size limit is refused before it is sent", async () => {
    const server = await mailServer({ size: 50_000 });
    const transport = opened(transportTo(`smtp://127.0.0.1:${server.port}`));
    const content = runContent({}, [{ name: "a.pdf", type: "application/pdf", bytes: Buffer.alloc(60_000) }]);
    expect(await sendOne(transport, { content })).toMatchObject({
      kind: "refused",
      of: "message",
      code: "too_big",
    });
    expect(await sendOne(transport)).toMatchObject({ kind: "accepted" });
  });

  test("a missing value is refused and named, and nothing is sent", async () => {
    const server = await mailServer();
    const transport = opened(transportTo(`smtp://127.0.0.1:${server.port}`));
    expect(await sendOne(transport, { values: {} })).toMatchObject({
      kind: "refused",
      of: "message",
      code: "unfilled_fields",
      detail: "No value for {{first_name}}.",
    });
    expect(server.received).toHaveLength(0);
  });
});

describe("login and encryption", () => {
  const onAuth: SMTPServerOptions["onAuth"] = ({ username, password }, _session, done) =>
    password === "s3cr:t/" ? done(null, { user: username }) : done(new Error("Invalid username or password"));

  test("STARTTLS is used if offered, before the login", async () => {
    const server = await mailServer({ hideSTARTTLS: false, authOptional: false, onAuth });
    const transport = opened(transportTo(`smtp://ann:s3cr%3At%2F@127.0.0.1:${server.port}`));
    expect(await sendOne(transport)).toMatchObject({ kind: "accepted" });
    expect(server.received[0]).toMatchObject({ secure: true, user: "ann" });
    expect(await transport.check()).toEqual({
      ok: true,
      detail: `Connected to 127.0.0.1, port ${server.port}, encrypted, signed in as ann`,
    });
  });

  test("tls=off stays unencrypted, and the connection test says so", async () => {
    const server = await mailServer({ hideSTARTTLS: false });
    const transport = opened(transportTo(`smtp://127.0.0.1:${server.port}?tls=off`));
    expect(await sendOne(transport)).toMatchObject({ kind: "accepted" });
    expect(server.received[0]).toMatchObject({ secure: false });
    expect(await transport.check()).toMatchObject({
      ok: true,
      detail: expect.stringContaining("not encrypted"),
    });
  });

  test("smtps is encrypted from the first byte", async () => {
    const server = await mailServer({ secure: true });
    const transport = opened(transportTo(`smtps://localhost:${server.port}`));
    expect(await sendOne(transport)).toMatchObject({ kind: "accepted" });
    expect(server.received[0]).toMatchObject({ secure: true });
  });

  test.each(["smtps", "smtp"])("an untrusted certificate stops %s to another computer", async (scheme) => {
    const server = await mailServer({ secure: scheme === "smtps", hideSTARTTLS: false });
    const transport = opened(transportTo(`${scheme}://127.0.0.1:${server.port}`, { verify: true }));
    expect(await sendOne(transport)).toMatchObject({
      kind: "misconfigured",
      code: "bad_certificate",
      detail: expect.stringMatching(/^The mail server's certificate [^:]*\.$/),
    });
    expect(server.received).toHaveLength(0);
  });

  test("a server that waits for TLS is silent, and the test says what to look at", async () => {
    const server = await mailServer({ secure: true });
    const transport = opened(
      transportTo(`smtp://127.0.0.1:${server.port}?tls=required`, { timeouts: { greeting: 200 } }),
    );
    expect(await transport.check()).toMatchObject({
      code: "timeout",
      detail: expect.stringContaining("Check the port and the encryption: port 465 is TLS from the start."),
    });
  });

  test("a wrong password is reported in the server's own words, without the password", async () => {
    const server = await mailServer({ hideSTARTTLS: false, authOptional: false, onAuth });
    const transport = opened(transportTo(`smtp://ann:wrong@127.0.0.1:${server.port}`));
    const check = await transport.check();
    expect(check).toEqual({
      ok: false,
      of: "misconfigured",
      code: "535",
      detail: "Invalid username or password",
    });
    expect(await sendOne(transport)).toMatchObject({ kind: "misconfigured", code: "535" });
  });

  test("a password is not sent unencrypted to another computer", async () => {
    const server = await mailServer({ authOptional: false, onAuth, disabledCommands: ["STARTTLS"] });
    const transport = opened(transportTo(`smtp://ann:s3cr%3At%2F@127.0.0.1:${server.port}?tls=required`));
    expect(await sendOne(transport)).toMatchObject({ kind: "misconfigured", code: "no_starttls" });
    expect(server.received).toHaveLength(0);
  });
});
