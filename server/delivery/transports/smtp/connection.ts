import type { Readable, Writable } from "node:stream";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Outcome } from "../transport.ts";
import type { Mail } from "../email/mime.ts";
import { failure, lost, replyText } from "./outcome.ts";
import type { Stage } from "./outcome.ts";
import type { RedactLogin } from "./redact-login.ts";

/** The outcome of one attempt, and how far it got: before `complete`, the server certainly doesn't have the message. */
export type Sent = { outcome: Outcome; stage: Stage };

/**
 * One authenticated connection to an SMTP server. It carries one message at a time. nodemailer speaks the protocol; this
 * class adds what the engine has to know: how far a message had got when the connection ended.
 */
export class SmtpConnection {
  readonly #connection: SMTPConnection;
  readonly #clean: RedactLogin;
  /** Resolves when the connection is gone, whoever ended it. */
  readonly #ended: Promise<void>;
  /** How many messages it has carried. */
  used = 0;
  open = true;
  /** The server accepts non-ASCII addresses (SMTPUTF8, RFC 6531). */
  readonly international: boolean;
  readonly encrypted: boolean;

  constructor(connection: SMTPConnection, extensions: string, clean: RedactLogin) {
    this.#connection = connection;
    this.#clean = clean;
    this.encrypted = connection.secure;
    this.international = /^250[ -]SMTPUTF8\b/im.test(extensions);
    // nodemailer also reports a broken connection to the message in flight. An idle connection just closes.
    connection.on("error", () => this.close());
    this.#ended = new Promise((resolve) => {
      connection.once("end", () => {
        this.open = false;
        resolve();
      });
    });
  }

  /**
   * Sends one message to one recipient. The content is held back until `permission` is granted; if it is denied, the
   * connection is closed, because SMTP has no other way out of DATA. Never rejects.
   */
  send(
    mail: Mail,
    { from, to, returnsBounces, permission, within, patience, advanced }: Sending,
  ): Promise<Sent> {
    this.used += 1;
    let stage: Stage = "envelope";
    return new Promise((resolve) => {
      const end = (outcome: Outcome) => {
        clearTimeout(timer);
        resolve({ outcome, stage });
      };
      const breakOff = (code: string, detail: string) => {
        this.close();
        end(lost(stage, code, detail));
      };
      const late = () => breakOff("timeout", "The server didn't answer in time");
      let timer = setTimeout(late, within);
      const content = contentOf(async (destination) => {
        const permitted = permission === undefined || (await permission);
        if (!this.open) return;
        if (!permitted) return breakOff("not_permitted", "It was cancelled");
        stage = "content";
        clearTimeout(timer);
        timer = setTimeout(late, patience);
        advanced();
        for (const piece of piecesOf(mail)) {
          if (destination.write(piece)) continue;
          await new Promise<void>((drained) => destination.once("drain", drained));
          if (!this.open) return;
          timer.refresh();
          advanced();
        }
        stage = "complete";
        destination.end();
      });
      const dsn = returnsBounces && notifications(mail);
      this.#connection.send({ from, to, size: mail.size, ...(dsn && { dsn }) }, content, (error, info) => {
        // The connection is out of sync and can't be reused.
        if (stage === "content") this.close();
        if (error) {
          const outcome = failure(error, stage, this.#clean);
          if (error.responseCode === 503 || outcome.code === "bad_reply") this.close();
          return end(outcome);
        }
        const messageId = info.serverMessageId?.replace(/^<|>$/g, "") ?? mail.messageId;
        end({ kind: "accepted", messageId, detail: replyText(this.#clean(info.response)) });
      });
    });
  }

  /** Resets the transaction after a refusal. Closes the connection if that fails. */
  async reset(within: number): Promise<void> {
    await this.#answer(within, (done) => {
      this.#connection.reset((error) => {
        if (error) this.close();
        done();
      });
    });
  }

  /** Sends QUIT, and closes once the server has answered or time is up. */
  async quit(within: number): Promise<void> {
    if (this.open) await this.#answer(within, () => this.#connection.quit());
    this.close();
  }

  close(): void {
    this.open = false;
    this.#connection.close();
  }

  async #answer(within: number, ask: (done: () => void) => void): Promise<void> {
    const answered = new Promise<void>((resolve) => ask(resolve));
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        this.close();
        resolve();
      }, within);
    });
    await Promise.race([answered, late, this.#ended]);
    clearTimeout(timer);
  }
}

/** Time limits in milliseconds: `within` until the server asks for the content, then `patience` for each step. */
export type Sending = {
  from: string;
  to: string;
  /** Bounces are read, so ask for delivery status notifications with the headers, if the server has DSN (RFC 3461). */
  returnsBounces: boolean;
  permission: Promise<boolean> | undefined;
  within: number;
  patience: number;
  /** The content has started to leave, or more of it has left. */
  advanced: () => void;
};

/**
 * The message as a minimal stream for nodemailer, which only calls `pipe`, once the server asks for the content. A real
 * stream would cost more than the rest of the message.
 */
function contentOf(asked: (destination: Writable) => Promise<void>): Readable {
  const source = {
    pipe(destination: Writable) {
      void asked(destination);
      return destination;
    },
  };
  return source as unknown as Readable;
}

function notifications({ messageId }: Mail): SMTPConnection.DSNOptions {
  const mark = messageId.slice(0, messageId.indexOf("@"));
  return { id: mark, return: "headers", notify: ["failure", "delay"] };
}

const PIECE = 64 * 1024;

/** Splits long content into chunks, so that progress can be reported. */
function* piecesOf({ own, shared }: Mail): Generator<Buffer> {
  yield own;
  for (const part of shared) {
    for (let start = 0; start < part.length; start += PIECE) yield part.subarray(start, start + PIECE);
  }
}
