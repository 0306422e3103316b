import { isIP } from "node:net";
import type { ImapFlow } from "imapflow";
import type { ImapFlowError } from "imapflow/lib/errors.js";
import type { BounceMail, BounceMailbox, MailboxPosition } from "../bounce-mailbox.ts";
import { checkWithin } from "../check-within.ts";
import { isLoopback } from "../loopback.ts";
import type { NetworkGuard } from "../network-guard.ts";
import { readable } from "../readable.ts";
import { tlsProblem } from "../tls-problem.ts";
import type { Check } from "../transport.ts";
import { readBounceMail } from "./bounce-mail.ts";
import type { SmtpSettings } from "./settings.ts";
import { loginRedactor } from "./redact-login.ts";

const WEEK_MS = 7 * 24 * 3_600_000;
/** Emails per connection. */
const BATCH = 200;
/** Enough for a notification and the returned headers, without the returned message's attachments. */
const MAX_BYTES = 256 * 1024;
/** Enough for the headers of a notification. */
const MAX_HEADERS = 16 * 1024;

const CONNECT_MS = 10_000;
/** `reading`: after this no further email is begun. `connection`: after this it is closed, within the lease of a read. */
const LIMITS = { checkMs: 25_000, readingMs: 2 * 60_000, connectionMs: 4 * 60_000 };

type Opened = { client: ImapFlow; uidValidity: string; uidNext: number };

/** The bounce mailbox of an SMTP account, over IMAP. Each call opens a new connection. */
export class ImapBounceMailbox implements BounceMailbox {
  readonly name: string;
  readonly #settings: SmtpSettings;
  readonly #guard: NetworkGuard | null;
  readonly #limits: typeof LIMITS;

  constructor(settings: SmtpSettings, guard: NetworkGuard | null, limits: Partial<typeof LIMITS> = {}) {
    const { imapHost, imapPort, imapUser, imapMailbox } = settings;
    this.name = `${imapUser}@${imapHost}:${imapPort}/${imapMailbox}`;
    this.#settings = settings;
    this.#guard = guard;
    this.#limits = { ...LIMITS, ...limits };
  }

  check(): Promise<Check> {
    const { imapHost, imapUser, imapMailbox } = this.#settings;
    const detail = `Bounces: signed in to ${imapHost} as ${imapUser} and opened ${imapMailbox}`;
    return checkWithin(this.#limits.checkMs, "The IMAP server", (limit) =>
      this.#opened(limit, () => Promise.resolve({ ok: true, detail })),
    );
  }

  async read(
    since: MailboxPosition | null,
    taken: (mail: BounceMail) => Promise<boolean>,
    signal: AbortSignal,
  ): ReturnType<BounceMailbox["read"]> {
    const until = performance.now() + this.#limits.readingMs;
    // Everything up to here is stored, even if the connection is lost.
    const done: { position?: MailboxPosition } = {};
    const result = await this.#opened(signal, async ({ client, uidValidity, uidNext }) => {
      const known = since?.uidValidity === uidValidity ? since.lastUid : null;
      const all = await newMails(client, known);
      const uids = all.slice(0, BATCH);
      const lastUid = all.length > BATCH ? uids.at(-1)! : Math.max(known ?? 0, uids.at(-1) ?? 0, uidNext - 1);
      const seen: number[] = [];
      const left = await reports(client, uids);
      while (left.length > 0 && (!done.position || performance.now() < until)) {
        const uid = left.shift()!;
        const mail = await bounceOf(client, uid);
        if (mail && (await storeOrThrow(taken, mail))) seen.push(uid);
        done.position = { uidValidity, lastUid: uid };
      }
      // Fails on a read-only mailbox, which is fine.
      if (seen.length > 0) await client.messageFlagsAdd(seen, ["\\Seen"], { uid: true }).catch(() => false);
      if (left.length > 0 && done.position) return { ok: true, position: done.position, more: true } as const;
      return { ok: true, position: { uidValidity, lastUid }, more: all.length > BATCH } as const;
    });
    return result.ok ? result : { ...result, ...done };
  }

  /** Runs `use` with the mailbox open. A connection error becomes the result. */
  async #opened<Done>(
    signal: AbortSignal,
    use: (opened: Opened) => Promise<Done>,
  ): Promise<Done | Extract<Check, { ok: false }>> {
    const { imapHost, imapPort, imapSecurity, imapUser, imapPassword, imapMailbox } = this.#settings;
    const host = this.#guard ? await this.#guard.addressOf(imapHost) : imapHost;
    if (typeof host !== "string") {
      const { refused, detail } = host;
      return refused === "private"
        ? { ok: false, of: "misconfigured", code: "private_address", detail }
        : { ok: false, of: "unavailable", code: "unknown_host", detail };
    }
    // Loaded only where a mailbox is read: it takes 35 MB.
    const imap = await import("imapflow");
    const client = new imap.ImapFlow({
      host,
      ...(!isIP(imapHost) && { servername: imapHost }),
      port: imapPort,
      secure: imapSecurity === "implicit",
      doSTARTTLS: imapSecurity === "required" ? true : imapSecurity === "off" ? false : undefined,
      tls: { rejectUnauthorized: !isLoopback(imapHost), minVersion: "TLSv1.2" },
      auth: { user: imapUser, pass: imapPassword },
      connectionTimeout: CONNECT_MS,
      greetingTimeout: CONNECT_MS,
      socketTimeout: 2 * CONNECT_MS,
      // Limits, because anyone can send to the mailbox.
      maxLineLength: 2 ** 20,
      maxLiteralSize: 2 * MAX_BYTES,
      maxResponseSize: 2 ** 22,
      disableAutoIdle: true,
      logger: false,
    });
    // Prevents an uncaught error: pending commands reject anyway.
    client.on("error", () => undefined);
    const stop = () => client.close();
    const deadline = AbortSignal.timeout(this.#limits.connectionMs);
    for (const end of [signal, deadline]) end.addEventListener("abort", stop);
    try {
      // The listener hears no abort that came before it.
      if (signal.aborted) throw new Error("The connection was given up before it opened.");
      await client.connect();
      await client.mailboxOpen(imapMailbox);
      const { mailbox } = client;
      if (!mailbox) return notOpened("no_mailbox", `${imapHost} has no mailbox ${imapMailbox}`);
      const done = await use({
        client,
        uidValidity: String(mailbox.uidValidity),
        uidNext: mailbox.uidNext || 1,
      });
      await client.logout().catch(() => undefined);
      return done;
    } catch (error) {
      if (error instanceof NotStoredError) throw error.cause;
      return deadline.aborted ? TOO_SLOW : this.#problem(error as ImapFlowError);
    } finally {
      for (const end of [signal, deadline]) end.removeEventListener("abort", stop);
      client.close();
    }
  }

  #problem(error: ImapFlowError): Extract<Check, { ok: false }> {
    const { imapHost, imapUser: user, imapPassword: password, imapMailbox } = this.#settings;
    const clean = loginRedactor({ user, password });
    const said = readable(clean(error.responseText ?? error.message));
    if (error.authenticationFailed)
      return notOpened("login_failed", `${imapHost} didn't let ${user} in: ${said}`);
    if (error.responseStatus)
      return notOpened("no_mailbox", `${imapHost} didn't open ${imapMailbox}: ${said}`);
    const problem = tlsProblem(error, "The IMAP server", "Try STARTTLS (port 143).");
    if (problem) return { ok: false, of: "unavailable", ...problem };
    if (error.tlsFailed && error.code === undefined) return NO_STARTTLS;
    const code = error.code ?? "connection_lost";
    return { ok: false, of: "unavailable", code, detail: CONNECTING[code] ?? said };
  }
}

/** We failed to store a bounce, as opposed to the mailbox failing. */
class NotStoredError extends Error {
  override name = "NotStoredError";
}

async function storeOrThrow(
  taken: (mail: BounceMail) => Promise<boolean>,
  mail: BounceMail,
): Promise<boolean> {
  try {
    return await taken(mail);
  } catch (cause) {
    throw new NotStoredError("The bounce was not kept", { cause });
  }
}

/** UIDs in ascending order. `known`: the last UID read before. */
async function newMails(client: ImapFlow, known: number | null): Promise<number[]> {
  const which = known === null ? { since: new Date(Date.now() - WEEK_MS) } : { uid: `${known + 1}:*` };
  const found = await client.search(which, { uid: true });
  // False is a refusal, not an empty result.
  if (!found) throw new Error("The IMAP server refused to search the mailbox.");
  // `*` always matches the newest email, even if its UID is not above `known`.
  return found.filter((uid) => uid > (known ?? 0)).toSorted((a, b) => a - b);
}

/** The delivery status notifications among them, by their headers, of which anyone can send any number. */
async function reports(client: ImapFlow, uids: readonly number[]): Promise<number[]> {
  if (uids.length === 0) return [];
  const query = { uid: true, source: { maxLength: MAX_HEADERS } };
  const mails = await client.fetchAll([...uids], query, { uid: true });
  return mails
    .filter(({ source }) => /report-type\s*=\s*"?delivery-status/i.test(source?.toString("latin1") ?? ""))
    .map(({ uid }) => uid)
    .toSorted((a, b) => a - b);
}

async function bounceOf(client: ImapFlow, uid: number): Promise<BounceMail | null> {
  const query = { uid: true, internalDate: true, source: { maxLength: MAX_BYTES } };
  const mail = await client.fetchOne(String(uid), query, { uid: true });
  if (!mail || !mail.source) return null;
  const at = mail.internalDate ? new Date(mail.internalDate) : new Date();
  // An email that can't be parsed is left for people to read.
  return readBounceMail(mail.source, at).catch(() => null);
}

const notOpened = (code: string, detail: string): Extract<Check, { ok: false }> => ({
  ok: false,
  of: "misconfigured",
  code,
  detail,
});

const TOO_SLOW: Extract<Check, { ok: false }> = {
  ok: false,
  of: "unavailable",
  code: "ETIMEOUT",
  detail: "The IMAP server is too slow.",
};

const NO_STARTTLS: Extract<Check, { ok: false }> = {
  ok: false,
  of: "unavailable",
  code: "no_starttls",
  detail: "The IMAP server doesn't offer STARTTLS. Try TLS from the start (port 993).",
};

/** Replaces system errors that mean nothing to people. */
const CONNECTING: Readonly<Record<string, string | undefined>> = {
  ECONNREFUSED: "The IMAP server refused the connection. Check the host and port.",
  EHOSTUNREACH: "We couldn't reach the IMAP server.",
  ENETUNREACH: "We couldn't reach the IMAP server.",
  CONNECT_TIMEOUT: "The IMAP server didn't answer in time.",
  GREETING_TIMEOUT: "The IMAP server didn't answer in time. Check the port and the encryption.",
  ETIMEOUT: "The IMAP server didn't answer in time.",
  EConnectionClosed: "The IMAP server closed the connection.",
  NoConnection: "The IMAP server closed the connection.",
};
