import { sql } from "kysely";
import * as z from "zod";
import { addressKind, channels, writtenAs, type Channel } from "#contract/delivery.ts";
import { renderEmail, renderPush, renderSms } from "#server/delivery/content/render.ts";
import { transportAdapter } from "../adapter.ts";
import type { Outcome, OutgoingMessage, Transport } from "../transport.ts";
import { unwritable } from "../unwritable.ts";

/**
 * Addresses that fail on purpose, so that people can see the failure screens before a real provider fails
 * (docs/sandbox.md). Matched by the part of an email address before @ or +, or the last seven digits of a phone number.
 * 555-01xx numbers, which are reserved for fiction, always work.
 */
const SIMULATED: readonly { mailbox: string; number: string; outcome: (attempt: number) => Outcome }[] = [
  {
    mailbox: "bounce",
    number: "5550001",
    outcome: () => ({
      kind: "refused",
      of: "recipient",
      code: "550 5.1.1",
      detail: "Simulated: no such address",
      suppress: true,
    }),
  },
  {
    mailbox: "busy",
    number: "5550002",
    outcome: (attempt) =>
      attempt > 1 ? ACCEPTED : unavailable("451 4.3.0", "Simulated: busy, accepted next time"),
  },
  {
    mailbox: "down",
    number: "5550003",
    outcome: () => unavailable("451 4.4.1", "Simulated: never reachable"),
  },
  {
    mailbox: "lost",
    number: "5550004",
    outcome: () => ({ kind: "uncertain", code: "no_answer", detail: "Simulated: the answer never came" }),
  },
];

const mailboxes = `^(${SIMULATED.map(({ mailbox }) => mailbox).join("|")})[@+]`;
const numbers = SIMULATED.map(({ number }) => number);

const CONCURRENCY = 100;
const ACCEPTED: Outcome = { kind: "accepted", delivered: true };

/**
 * Serves a channel that has no provider yet: accepts and delivers every message immediately, without sending anything. A
 * message "as received" is the run's content rendered with the delivery's values.
 */
export const sandbox = transportAdapter({
  kind: "sandbox",
  label: "Sandbox",
  channels,
  simulated: true,
  // Like most providers, so that people can see what a missing answer looks like.
  recovery: "blind",
  acceptsAtOnce: (address) =>
    sql`NOT (${address} ~* ${mailboxes} OR right(${address}, 7) = ANY(${numbers}::text[]))`,
  settings: z.object({}),
  open: (_settings, { channel }) => sandboxTransport(channel),
});

function sandboxTransport(channel: Channel): Transport {
  return {
    concurrency: CONCURRENCY,
    timeoutMs: () => 1000,
    async send(messages, progress, signal) {
      const waiting = messages.values();
      const sendWaiting = async () => {
        for (const message of waiting) {
          if (signal.aborted) return;
          const outcome = outcomeOf(channel, message);
          // Nothing is sent, so a crash leaves no doubt: an accepted message needs no `begun` and is written once, with
          // its outcome, unless it was cancelled in the meantime.
          if (outcome.kind !== "accepted" && (await progress.begun?.(message)) === false) continue;
          // Awaited only if it is a promise: a microtask per message adds up.
          const settled = progress.settled(message, outcome);
          if (settled) await settled;
        }
      };
      await Promise.all(Array.from({ length: Math.min(CONCURRENCY, messages.length) }, sendWaiting));
    },
    check: () =>
      Promise.resolve({
        ok: true,
        detail: "The Sandbox is part of Porchlight. No one receives its messages.",
      }),
    close: () => Promise.resolve(),
  };
}

function outcomeOf(channel: Channel, message: OutgoingMessage): Outcome {
  try {
    render(channel, message);
  } catch (error) {
    return unwritable(error);
  }
  const mailbox = /^[^@+]+(?=[@+])/.exec(message.address.toLowerCase())?.[0];
  const simulated = SIMULATED.find(
    (address) =>
      address.mailbox === mailbox ||
      (addressKind(channel) === "phone" && message.address.endsWith(address.number)),
  );
  return simulated ? simulated.outcome(message.attempt) : ACCEPTED;
}

/** Renders as a real channel would, so that a message that can't be rendered fails here too. */
function render(channel: Channel, { content, values, links }: OutgoingMessage): unknown {
  const reading = writtenAs(channel);
  switch (reading) {
    case "email":
      return renderEmail(content.compiled, values, links);
    case "sms":
      return renderSms(content.compiled, values, links);
    case "push":
      return renderPush(content.compiled, values);
    default:
      return reading satisfies never;
  }
}

function unavailable(code: string, detail: string): Outcome {
  return { kind: "unavailable", code, detail };
}
