import type { Transport, Check, Failure, Outcome, OutgoingMessage, Progress } from "../transport.ts";
import { attachedBytes } from "#server/delivery/content/encoded-attachment.ts";
import type { Tracker } from "#server/delivery/receipts/tracking-address.ts";
import { isLoopback } from "../loopback.ts";
import { checkWithin } from "../check-within.ts";
import { perRun } from "../per-run.ts";
import { unwritable } from "../unwritable.ts";
import { mailAddress, NO_SMTPUTF8, notAnAddress, type MailAddress } from "../email/address.ts";
import type { BounceMailbox } from "../bounce-mailbox.ts";
import { ImapBounceMailbox } from "./bounce-mailbox.ts";
import { mailWriter, type Mail, type MailWriter } from "../email/mime.ts";
import type { Opening, Timeouts } from "./open-connection.ts";
import { SmtpConnection, type Announced } from "./connection.ts";
import { SmtpConnections } from "./connections.ts";
import { SlowDowns } from "./outcome.ts";
import type { SmtpSettings } from "./settings.ts";
import { SendQueue, SLOWEST_BYTES_PER_MS, type Job } from "../send-queue.ts";

const TIMEOUTS: Timeouts = { connect: 10_000, greeting: 10_000, message: 25_000, idle: 60_000 };

/** The largest message behind which another is announced. */
const AHEAD_BYTES = 64 * 1024;

type Letter = Mail & { to: MailAddress };

/** `announced`: its envelope is on its way over the loop's connection. */
type Announcing = { job: Job; letter: Letter; announced?: Announced };

type Delivered = { connection: SmtpConnection; next?: Announcing | undefined };

/**
 * Email over SMTP. A few connections stay open and are shared by all calls; each carries one message at a time, so a
 * crash leaves no more than that in doubt. Every attempt of a delivery has the same Message-ID.
 */
export class SmtpTransport implements Transport {
  readonly concurrency: number;
  readonly bounceMailbox: BounceMailbox | undefined;

  readonly #settings: SmtpSettings;
  readonly #timeouts: Timeouts;
  readonly #queue = new SendQueue();
  readonly #connections: SmtpConnections;
  readonly #slowDowns = new SlowDowns();
  readonly #writerOf: ReturnType<typeof perRun<MailWriter>>;
  readonly #loops = new Set<Promise<void>>();
  /** Loops that will still take jobs. One that found none is no longer counted. */
  #busy = 0;
  /** After the server refused a connection while others were open: how many it seems to allow, and until when. */
  #allowed = { connections: 0, until: 0 };

  /** `verifyCertificate`: by default, except on this computer, where a certificate proves nothing. */
  constructor(
    settings: SmtpSettings,
    {
      timeouts,
      verifyCertificate = !isLoopback(settings.host),
      guard = null,
      hostName,
      tracker,
    }: Partial<
      Omit<Opening, "timeouts"> & { timeouts: Partial<Timeouts>; tracker: Tracker | undefined }
    > = {},
  ) {
    this.#settings = settings;
    const from = { name: settings.fromName, address: settings.fromEmail };
    this.#writerOf = perRun((content) => mailWriter(content, from, tracker));
    this.#timeouts = { ...TIMEOUTS, ...timeouts };
    if (settings.imapHost !== "") this.bounceMailbox = new ImapBounceMailbox(settings, guard);
    this.#connections = new SmtpConnections(settings, {
      timeouts: this.#timeouts,
      verifyCertificate,
      guard,
      hostName,
    });
    this.concurrency = settings.connections;
  }

  send(messages: readonly OutgoingMessage[], progress: Progress, signal: AbortSignal): Promise<void> {
    const finished = this.#queue.add(messages, progress, signal);
    this.#startLoops();
    return finished;
  }

  /** Allows extra time for what the system still buffers after the last byte was written. */
  timeoutMs({ content }: OutgoingMessage): number {
    return this.#timeouts.message + attachedBytes(content) / SLOWEST_BYTES_PER_MS;
  }

  /** Connects, encrypts, authenticates and sends RSET, on a separate connection. */
  check(): Promise<Check> {
    return checkWithin(this.#timeouts.message, "The server", () => this.#check());
  }

  async #check(): Promise<Check> {
    const connection = await this.#connections.open();
    if (!(connection instanceof SmtpConnection)) {
      const { kind, code, detail } = connection;
      return { ok: false, of: kind === "misconfigured" ? kind : "unavailable", code, detail };
    }
    await connection.reset(this.#timeouts.greeting);
    const { open, encrypted } = connection;
    await connection.quit(this.#timeouts.greeting);
    if (!open)
      return {
        ok: false,
        of: "unavailable",
        code: "connection_lost",
        detail: "The server closed the connection",
      };
    const { host, port, user } = this.#settings;
    const how = `${encrypted ? "encrypted" : "not encrypted"}${user && `, signed in as ${user}`}`;
    return { ok: true, detail: `Connected to ${host}, port ${port}, ${how}` };
  }

  async close(): Promise<void> {
    this.#queue.close();
    await Promise.all(this.#loops);
    await this.#connections.close();
  }

  #startLoops(): void {
    const limit = performance.now() < this.#allowed.until ? this.#allowed.connections : this.concurrency;
    while (this.#busy < limit && this.#queue.ready) {
      this.#busy += 1;
      const loop = this.#loop().finally(() => this.#loops.delete(loop));
      this.#loops.add(loop);
    }
  }

  /** Sends messages over one connection until none is available. */
  async #loop(): Promise<void> {
    let connection: SmtpConnection | undefined;
    let next: Announcing | undefined;
    for (;;) {
      const job: Job | undefined = next?.job ?? this.#queue.take();
      if (job === undefined) break;
      connection ??= this.#connections.take();
      const letter = next?.letter ?? this.#write(job.message);
      if ("kind" in letter) {
        await this.#settle(job, letter);
        continue;
      }
      if (!connection?.open && !(next && connection)) {
        const opened = await this.#connections.open();
        if (!(opened instanceof SmtpConnection)) {
          await this.#connectionFailed(job, opened);
          break;
        }
        connection = opened;
      }
      const announcing: Announcing = next ?? { job, letter };
      next = undefined;
      if (this.#queue.isLeft(job)) {
        this.#queue.left(job);
        // The server may be waiting for its content.
        if (announcing.announced) connection.close();
      } else {
        ({ connection, next } = await this.#deliver(announcing, connection));
      }
      // A finished large message may have made room for several.
      this.#startLoops();
    }
    this.#busy -= 1;
    if (connection) this.#connections.keep(connection);
  }

  /** `next`: the message that was announced behind this one's content. */
  async #deliver({ job, letter, announced }: Announcing, current: SmtpConnection): Promise<Delivered> {
    if (letter.to.international && !current.international) {
      await this.#settle(job, NO_SMTPUTF8);
      return { connection: current };
    }
    const answer = job.call.progress.begun?.(job.message);
    if (answer === false) {
      this.#queue.done(job);
      if (announced) current.close();
      return { connection: current };
    }
    // Requested now and awaited before the content, so that the commit and the envelope overlap.
    const permission = answer instanceof Promise ? answer.then((given) => given !== false) : undefined;
    const deadline = performance.now() + this.#timeouts.message;
    let next: Announcing | undefined;
    const send = (over: SmtpConnection, message: Announced) =>
      over.send(message, {
        permission,
        // Opening a new connection may have taken all of it.
        within: Math.max(0, deadline - performance.now()),
        patience: this.timeoutMs(job.message),
        advanced: () => job.call.progress.advanced?.(job.message),
        left: () => (next = this.#announceNext(over, letter)),
      });
    const wasUsed = current.used > 0;
    let connection = current;
    let sent = await send(connection, announced ?? this.#announce(letter, connection));
    if (permission && !(await permission)) {
      this.#queue.done(job);
      if (connection.open) await connection.reset(this.#timeouts.greeting);
      return { connection };
    }
    // A server may close a connection that was idle or has carried enough, and we may notice only with the next message.
    // That message certainly did not arrive, so sending it over a new connection is not a second attempt.
    const left = deadline - performance.now();
    if (wasUsed && !connection.open && sent.stage === "envelope" && left > 0) {
      const opened = await this.#connections.open(left);
      if (opened instanceof SmtpConnection) {
        connection = opened;
        sent = await send(connection, this.#announce(letter, connection));
      } else {
        sent = { outcome: opened, stage: "opening" };
      }
    }
    const outcome =
      sent.stage === "opening"
        ? asAccountFailure(sent.outcome)
        : this.#slowDowns.judge(sent.outcome, letter.to.address);
    await this.#settle(job, outcome);
    if (sent.outcome.kind === "accepted") return { connection, next };
    if (next && (outcome.kind === "throttled" || outcome.kind === "misconfigured")) {
      this.#queue.left(next.job, outcome);
      connection.close();
      return { connection };
    }
    if (sent.stage === "opening") this.#queue.leaveAll(sent.outcome);
    // A refused content has ended its transaction, and the next one may have begun.
    if (connection.open && sent.stage === "envelope") await connection.reset(this.#timeouts.greeting);
    return { connection, next };
  }

  #announce(letter: Letter, connection: SmtpConnection): Announced {
    return connection.announce(letter, {
      from: this.#settings.fromEmail,
      to: letter.to.address,
      returnsBounces: this.bounceMailbox !== undefined,
    });
  }

  /**
   * Announces another message while the answer to a content is on its way. It only begins once that answer is here. Not
   * behind large contents, which take their time, and no emergency, which must wait for no other message's answer.
   */
  #announceNext(connection: SmtpConnection, { size }: Letter): Announcing | undefined {
    if (!connection.pipelining || size > AHEAD_BYTES) return undefined;
    const job = this.#queue.take(({ message }) => !message.urgent);
    if (!job) return undefined;
    const letter = this.#write(job.message);
    if ("kind" in letter || (letter.to.international && !connection.international)) {
      this.#queue.giveBack(job);
      return undefined;
    }
    return { job, letter, announced: this.#announce(letter, connection) };
  }

  /** A connection couldn't be opened: the server allows no more, or rejects us altogether. */
  async #connectionFailed(job: Job, failure: Failure): Promise<void> {
    const others = this.#busy - 1;
    if (others > 0 && failure.kind !== "misconfigured") {
      this.#allowed = { connections: others, until: performance.now() + this.#timeouts.idle };
      this.#queue.giveBack(job);
      return;
    }
    await this.#settle(job, asAccountFailure(failure));
    this.#queue.leaveAll(failure);
  }

  async #settle(job: Job, outcome: Outcome): Promise<void> {
    if (outcome.kind === "throttled" || outcome.kind === "misconfigured") this.#queue.leaveAll(outcome);
    const settled = job.call.progress.settled(job.message, outcome);
    if (settled) await settled;
    this.#queue.done(job);
  }

  #write(message: OutgoingMessage): Letter | Outcome {
    const to = mailAddress(message.address);
    if (to === undefined) return notAnAddress(message.address);
    try {
      const write = this.#writerOf(message.content);
      return { to, ...write({ ...message, address: to.address }, new Date()) };
    } catch (error) {
      return unwritable(error);
    }
  }
}

/** A failure to open a connection says nothing about the message that needed it. */
function asAccountFailure<Result extends Outcome>(outcome: Result): Result {
  return outcome.kind === "unavailable" ? { ...outcome, account: true } : outcome;
}
