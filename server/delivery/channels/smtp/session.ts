import type { Readable, Writable } from "node:stream";
import type SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Outcome } from "../channel.ts";
import type { Mail } from "./mime.ts";
import { failure, lost, readable } from "./outcome.ts";
import type { Stage } from "./outcome.ts";

/** What one try came to, and how far it had come: before `content`, the server certainly has no mail of ours. */
export type Sent = { outcome: Outcome; stage: Stage };

/**
 * One open connection to an SMTP server, signed in. It carries one message at a time. nodemailer speaks the
 * protocol; this class adds what the engine must know: how far a message had come when the connection ended.
 */
export class Session {
  readonly #connection: SMTPConnection;
  readonly #ended: Promise<void>;
  /** How many messages it has carried. */
  used = 0;
  open = true;
  /** The server takes letters beyond ASCII in an address (RFC 6531). */
  readonly international: boolean;
  readonly encrypted: boolean;

  constructor(connection: SMTPConnection, extensions: string) {
    this.#connection = connection;
    this.encrypted = connection.secure;
    this.international = /^250[ -]SMTPUTF8\b/im.test(extensions);
    // nodemailer reports a broken connection to the message in flight as well; idle, nobody needs to know.
    connection.on("error", () => this.close());
    this.#ended = new Promise((resolve) => {
      connection.once("end", () => {
        this.open = false;
        resolve();
      });
    });
  }

  /** Resolves when the connection is gone, whoever ended it. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  /**
   * Gives the server one mail for one recipient, within so many milliseconds. The content is held back until
   * `permission` is given; without it the session ends, because SMTP has no other way out of DATA. Never rejects.
   */
  send(
    from: string,
    to: string,
    mail: Mail,
    permission: Promise<boolean> | undefined,
    within: number,
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
      const timer = setTimeout(() => breakOff("timeout", "The server did not answer in time"), within);
      const content = contentOf(mail, async (write) => {
        const permitted = permission === undefined || (await permission);
        if (!this.open) return;
        if (!permitted) return breakOff("not_permitted", "It was called back");
        stage = "content";
        write();
      });
      const size = mail.own.length + mail.shared.length;
      this.#connection.send({ from, to, size }, content, (error, info) => {
        if (error) {
          const outcome = failure(error, stage);
          // The session is out of step, a new one is not.
          if (error.responseCode === 503 || outcome.code === "bad_reply") this.close();
          return end(outcome);
        }
        const messageId = info.serverMessageId?.replace(/^<|>$/g, "") ?? mail.messageId;
        end({ kind: "accepted", messageId, detail: readable(info.response) });
      });
    });
  }

  /** Ends the transaction that a refusal left open. Closes the session where the server does not answer well. */
  async reset(within: number): Promise<void> {
    await this.#answer(within, (done) => {
      this.#connection.reset((error) => {
        if (error) this.close();
        done();
      });
    });
  }

  /** Says goodbye, and closes when the server has answered or time is up. */
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

/**
 * The mail as nodemailer takes a stream: it calls `pipe` when the server has asked for the content, and nothing
 * else. A real stream would cost more than all the rest of a message.
 */
function contentOf({ own, shared }: Mail, asked: (write: () => void) => Promise<void>): Readable {
  const source = {
    pipe(destination: Writable) {
      void asked(() => {
        destination.write(own);
        if (shared.length > 0) destination.write(shared);
        destination.end();
      });
      return destination;
    },
  };
  return source as unknown as Readable;
}
