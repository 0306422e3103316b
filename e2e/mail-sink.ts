import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import PostalMime, { type Email } from "postal-mime";
import { SMTPServer } from "smtp-server";

export type Mail = Email & {
  /** The message as the server received it. */
  raw: string;
};

export type MailSink = {
  /** smtp://… */
  url: string;
  /** Messages received for an address so far, oldest first. */
  to: (address: string) => readonly Mail[];
  /** Rejects this address (RCPT TO) with an error such as "550 5.2.1 Mailbox disabled" until `accept` is called. */
  refuse: (address: string, answer: string) => void;
  accept: (address: string) => void;
  /** Leaves messages to addresses that contain this text unanswered until the returned function is called. */
  hold: (words: string) => () => void;
  stop: () => Promise<void>;
};

/** A real SMTP server that keeps every message, parsed by a third-party library. */
export async function startMailSink(): Promise<MailSink> {
  const received = new Map<string, Mail[]>();
  const refusals = new Map<string, string>();
  const holds = new Map<string, Promise<void>>();

  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onRcptTo({ address }, _session, callback) {
      const refusal = refusals.get(key(address));
      if (!refusal) return callback();
      const [status, ...words] = refusal.split(" ");
      callback(Object.assign(new Error(words.join(" ")), { responseCode: Number(status) }));
    },
    onData(stream, session, callback) {
      const recipients = session.envelope.rcptTo.map(({ address }) => key(address));
      keep(stream, recipients).then(() => callback(), callback);
    },
  });

  async function keep(stream: NodeJS.ReadableStream, recipients: string[]): Promise<void> {
    const bytes = await buffer(stream);
    for (const [words, released] of holds) {
      if (recipients.some((recipient) => recipient.includes(words))) await released;
    }
    const mail = { ...(await PostalMime.parse(bytes)), raw: bytes.toString("latin1") };
    for (const recipient of recipients) received.set(recipient, [...(received.get(recipient) ?? []), mail]);
  }

  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  return {
    url: `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`,
    to: (address) => received.get(key(address)) ?? [],
    refuse: (address, answer) => void refusals.set(key(address), answer),
    accept: (address) => void refusals.delete(key(address)),
    hold(words) {
      const { promise, resolve } = Promise.withResolvers<void>();
      holds.set(key(words), promise);
      return () => {
        holds.delete(key(words));
        resolve();
      };
    },
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}

const key = (address: string) => address.toLowerCase();
