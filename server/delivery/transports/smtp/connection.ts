import type { Socket } from "node:net";
import { parseServerMessageId } from "nodemailer/lib/smtp-connection/server-message-id.js";
import type { Mail } from "../email/mime.ts";
import { readable } from "../readable.ts";
import type { Failure, Outcome } from "../transport.ts";
import { lost, replied, replyText, type Command, type Stage } from "./outcome.ts";
import type { RedactLogin } from "./redact-login.ts";
import { Replies, type Reply } from "./replies.ts";

/** The outcome of one attempt, and how far it got: before `complete`, the server certainly doesn't have the message. */
type Sent = { outcome: Outcome; stage: Stage };

/** A message that was announced. `refused`: null once the server asks for its content. */
export type Announced = { mail: Mail; refused: Promise<Failure | null> };

type Announcement = {
  from: string;
  to: string;
  /** Bounces are read, so ask for delivery status notifications with the headers, if the server has DSN (RFC 3461). */
  returnsBounces: boolean;
};

/** Time limits in milliseconds: `within` until the server asks for the content, then `patience` for each step. */
type Sending = {
  permission: Promise<boolean> | undefined;
  within: number;
  patience: number;
  /** The content has started to leave, or more of it has left. */
  advanced: () => void;
  /** The content has left. What is announced now leaves with it, if the server has PIPELINING. */
  left?: () => void;
};

/** How a connection was opened. `ehlo`: the server's reply to EHLO. `clean` redacts its replies. */
type Opened = { socket: Socket; host: string; ehlo: string; encrypted: boolean; clean: RedactLogin };

const END_OF_CONTENT = ".\r\n";
const PIECE = 64 * 1024;

/**
 * One authenticated connection to an SMTP server. It carries one content at a time. With PIPELINING (RFC 2920) an
 * announcement is one write, and the next message may be announced right behind a content, so that a message takes one
 * round trip. Contents need no dot-stuffing, because `mailWriter` begins no line with a dot.
 */
export class SmtpConnection {
  readonly #socket: Socket;
  readonly #host: string;
  readonly #clean: RedactLogin;
  readonly #replies: Replies;
  readonly #maxSize: number | undefined;
  readonly #dsn: boolean;
  /** Why we gave it up. */
  #givenUp: { code: string; detail: string } | undefined;
  /** How many messages it has carried. */
  used = 0;
  readonly pipelining: boolean;
  /** The server accepts non-ASCII addresses (SMTPUTF8, RFC 6531). */
  readonly international: boolean;
  readonly encrypted: boolean;

  constructor({ socket, host, ehlo, encrypted, clean }: Opened) {
    this.#socket = socket;
    this.#host = host;
    this.#clean = clean;
    this.encrypted = encrypted;
    const offers = (extension: string) => new RegExp(`^250[ -]${extension}\\b(?: +(\\d+))?`, "im").exec(ehlo);
    const size = offers("SIZE");
    this.#maxSize = size ? Number(size[1] ?? 0) || Infinity : undefined;
    this.#dsn = offers("DSN") !== null;
    this.pipelining = offers("PIPELINING") !== null;
    this.international = offers("SMTPUTF8") !== null;
    this.#replies = new Replies(socket);
  }

  get open(): boolean {
    return this.#replies.end === undefined;
  }

  announce(mail: Mail, { from, to, returnsBounces }: Announcement): Announced {
    this.used += 1;
    if (this.#maxSize !== undefined && mail.size > this.#maxSize) {
      const detail = `The server doesn't accept messages larger than ${this.#maxSize} bytes`;
      return { mail, refused: Promise.resolve({ kind: "refused", of: "message", code: "too_big", detail }) };
    }
    const dsn = returnsBounces && this.#dsn;
    const mark = mail.messageId.slice(0, mail.messageId.indexOf("@"));
    const commands: Record<Command, string> = {
      "MAIL FROM":
        `MAIL FROM:<${from}>${this.international && !(isAscii(from) && isAscii(to)) ? " SMTPUTF8" : ""}` +
        `${this.#maxSize === undefined ? "" : ` SIZE=${mail.size}`}${dsn ? ` RET=HDRS ENVID=${mark}` : ""}\r\n`,
      "RCPT TO": `RCPT TO:<${to}>${dsn ? " NOTIFY=FAILURE,DELAY" : ""}\r\n`,
      DATA: "DATA\r\n",
    };
    return {
      mail,
      refused: this.pipelining ? this.#announceAtOnce(commands) : this.#announceInTurn(commands),
    };
  }

  /**
   * Sends the content of an announced message. It is held back until `permission` is granted; if it is denied, the
   * connection is closed, because SMTP has no other way out of DATA. Never rejects.
   */
  async send({ mail, refused }: Announced, sending: Sending): Promise<Sent> {
    const { permission, within, patience, advanced, left } = sending;
    let stage: Stage = "envelope";
    let timer = setTimeout(() => this.#giveUp(), within);
    const failed = (outcome: Failure): Sent => ({ outcome, stage });
    try {
      const refusal = await refused;
      // The server has answered, and how long the permission takes is not its fault.
      clearTimeout(timer);
      if (refusal) return failed(refusal);
      const permitted = permission === undefined || (await this.#replies.whileOpen(permission));
      if (!this.open) return failed(this.#lost(stage));
      if (!permitted) {
        this.close();
        return failed(lost(stage, "not_permitted", "It was cancelled"));
      }
      timer = setTimeout(() => this.#giveUp(), patience);
      stage = "content";
      advanced();
      let early = false;
      const answer = this.#replies.next().then((reply) => {
        early = stage === "content";
        return reply;
      });
      this.#socket.cork();
      for (const piece of piecesOf(mail)) {
        if (this.#socket.write(piece) || !this.open) continue;
        this.#socket.uncork();
        const drained = new Promise((resolve) => this.#socket.once("drain", resolve));
        await this.#replies.whileOpen(drained);
        timer.refresh();
        advanced();
        this.#socket.cork();
      }
      if (this.open && !early) {
        stage = "complete";
        this.#socket.write(END_OF_CONTENT);
        left?.();
      }
      this.#socket.uncork();
      const reply = await answer;
      // A server that answers before the end reads the rest as commands.
      if (early) this.close();
      return { outcome: reply ? this.#outcome(reply, stage, mail) : this.#lost(stage), stage };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Resets the transaction after a refusal. Closes the connection if that fails. */
  async reset(within: number): Promise<void> {
    const reply = await this.#ask("RSET\r\n", within);
    if (reply?.status !== 250) this.close();
  }

  /** Sends QUIT, and closes once the server has answered or time is up. */
  async quit(within: number): Promise<void> {
    if (this.open) await this.#ask("QUIT\r\n", within);
    this.close();
  }

  close(): void {
    this.#replies.finish({});
  }

  /** Without PIPELINING, each command waits for the reply to the last. */
  async #announceInTurn(commands: Record<Command, string>): Promise<Failure | null> {
    for (const command of ["MAIL FROM", "RCPT TO", "DATA"] as const) {
      this.#socket.write(commands[command]);
      const refusal = this.#refusal(await this.#replies.next(), command);
      if (refusal) return refusal;
    }
    return null;
  }

  async #announceAtOnce(commands: Record<Command, string>): Promise<Failure | null> {
    this.#socket.write(commands["MAIL FROM"] + commands["RCPT TO"] + commands.DATA);
    const [mail, rcpt, data] = await Promise.all([
      this.#replies.next(),
      this.#replies.next(),
      this.#replies.next(),
    ]);
    // The first refusal is the reason. The commands after it are only refused because of it.
    const sender = this.#refusal(mail, "MAIL FROM");
    const recipient = sender ? null : this.#refusal(rcpt, "RCPT TO");
    if (!data || data.status >= 400) return sender ?? recipient ?? this.#refusal(data, "DATA");
    // It asks for the content although it refused the message, so it gets an empty one, which reaches no one.
    if (sender) this.close();
    else if (recipient) {
      this.#socket.write(END_OF_CONTENT);
      await this.#replies.next();
    }
    return sender ?? recipient;
  }

  /** `reply`: null if the connection ended instead. Some servers ask for the content with a 250. */
  #refusal(reply: Reply | null, command: Command): Failure | null {
    if (!reply) return this.#lost("envelope");
    if (reply.status < (command === "DATA" ? 400 : 300)) return null;
    return this.#judged(reply, command, "envelope");
  }

  #outcome(reply: Reply, stage: Stage, mail: Mail): Outcome {
    if (stage !== "complete" || reply.status >= 300) return this.#judged(reply, "content", stage);
    const messageId = parseServerMessageId(reply.text, this.#host)?.slice(1, -1) ?? mail.messageId;
    return { kind: "accepted", messageId, detail: replyText(this.#clean(reply.text)) };
  }

  #judged(reply: Reply, command: Command | "content", stage: Stage): Failure {
    const failure = replied(reply, { command, stage, clean: this.#clean });
    // Both are out of step.
    if (reply.status === 503 || failure.code === "bad_reply") this.close();
    return failure;
  }

  #lost(stage: Stage): Failure {
    const { error, unreadable } = this.#replies.end ?? {};
    if (this.#givenUp) return lost(stage, this.#givenUp.code, this.#givenUp.detail);
    if (unreadable !== undefined) return lost(stage, "bad_reply", readable(this.#clean(unreadable)));
    return lost(stage, "connection_lost", error?.message ?? "The server closed the connection");
  }

  #giveUp(): void {
    if (this.open) this.#givenUp = { code: "timeout", detail: "The server didn't answer in time" };
    this.close();
  }

  async #ask(command: string, within: number): Promise<Reply | null> {
    const timer = setTimeout(() => this.close(), within);
    this.#socket.write(command);
    const reply = await this.#replies.next();
    clearTimeout(timer);
    return reply;
  }
}

function isAscii(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- ASCII or not is the question
  return /^[\x00-\x7f]*$/.test(text);
}

/** Splits long content into chunks, so that progress can be reported. */
function* piecesOf({ own, shared }: Mail): Generator<Buffer> {
  yield own;
  for (const part of shared) {
    for (let start = 0; start < part.length; start += PIECE) yield part.subarray(start, start + PIECE);
  }
}
