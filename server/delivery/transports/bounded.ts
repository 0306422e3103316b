import { hash } from "node:crypto";
import { readable } from "./readable.ts";
import type { Outcome } from "./transport.ts";
import type { ProviderEvent } from "./webhook.ts";

/**
 * Bounds what providers say where it enters: outcomes and events. What they send is of any length, and an id of thousands
 * of characters fits no index.
 */

const LONGEST_ID = 255;
const LONGEST_CODE = 100;
/** Several times the longest text message. */
const LONGEST_TEXT = 10_000;
/** Of a bounce. One email has one recipient, and its addresses are few. */
const MOST_RECIPIENTS = 20;

/** A provider's id. A longer one is replaced by its beginning and its hash, so that the same ids stay the same. */
export function boundedId(id: string): string {
  const clean = storable(id);
  if (clean.length <= LONGEST_ID) return clean;
  return `${storable(clean.slice(0, LONGEST_ID - 65))} ${hash("sha256", id, "hex")}`;
}

export function boundedOutcome(outcome: Outcome): Outcome {
  const { detail } = outcome;
  const said = detail !== undefined && { detail: readable(storable(detail)) };
  if (outcome.kind !== "accepted") return { ...outcome, ...said, code: cut(outcome.code, LONGEST_CODE) };
  return { ...outcome, ...said, ...(outcome.messageId && { messageId: boundedId(outcome.messageId) }) };
}

/** `now`: the time of an event that gives none that is real, or one that lies ahead. */
export function boundedEvent(event: ProviderEvent, now: Date): ProviderEvent {
  const at = event.at <= now ? event.at : now;
  const eventId = boundedId(event.eventId);
  if (event.what === "unreadable") return { ...event, eventId, at };
  if (event.what === "text") {
    const [from, to] = [boundedId(event.from), boundedId(event.to)];
    return { ...event, eventId, at, from, to, text: cut(event.text, LONGEST_TEXT) };
  }
  const { messageId, reference, address, code, detail, recipients } = event;
  return {
    ...event,
    eventId,
    at,
    messageId: messageId && boundedId(messageId),
    reference: reference && boundedId(reference),
    address: address && boundedId(address),
    code: code && cut(code, LONGEST_CODE),
    // Or the link that was clicked, which has no spaces.
    detail: detail && cut(detail, 2000),
    recipients: recipients?.slice(0, MOST_RECIPIENTS).map(boundedId),
  };
}

/** PostgreSQL accepts neither NUL nor an unpaired surrogate. */
export function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

function cut(text: string, most: number): string {
  const clean = storable(text);
  return clean.length <= most ? clean : `${storable(clean.slice(0, most - 1))}…`;
}
