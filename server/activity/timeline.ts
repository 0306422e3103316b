import { sql } from "kysely";
import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import type { Delivery, TimelineEvent } from "#contract/calls/deliveries.ts";
import { addressKind, type Channel } from "#contract/delivery.ts";
import { reasonSentence } from "#contract/delivery-reasons.ts";
import { isolated } from "#contract/text/isolate.ts";
import type { Db } from "#server/db/database.ts";
import { inMonthsOf } from "#server/db/months.ts";
import type { DeliveryEventKind } from "#server/db/delivery-tables.ts";
import type { Outcome } from "#server/delivery/transports/transport.ts";
import { isHeld, readDelivery } from "./deliveries.ts";

type Moment = Omit<TimelineEvent, "at"> & { at: Date };
type OfDelivery<Row> = Row & { deliveryId: number };
type State = {
  createdAt: Date;
  updatedAt: Date;
  begunAt: Date | null;
  tried: boolean;
  held: boolean;
  provider: string | null;
};
type Try = {
  n: number;
  startedAt: Date;
  endedAt: Date;
  provider: string;
  outcome: Outcome["kind"];
  code: string | null;
  detail: string | null;
  nextTryAt: Date | null;
};

/** Everything that happened to one delivery, oldest first. Null if there is no such delivery. */
export async function timelineOf(
  db: Db,
  deliveryId: number,
): Promise<{ delivery: Delivery; events: TimelineEvent[] } | null> {
  const delivery = await readDelivery(db, deliveryId);
  if (!delivery) return null;
  return { delivery, events: (await timelinesOf(db, [delivery])).get(deliveryId)! };
}

/**
 * Everything that happened to each of these deliveries, oldest first, by delivery id; with `queued: false`, not that it
 * was queued.
 */
export async function timelinesOf(
  db: Db,
  deliveries: readonly Delivery[],
  { queued = true }: { queued?: boolean } = {},
): Promise<Map<number, TimelineEvent[]>> {
  const ids = deliveries.map(({ id }) => id);
  const [rows, attempts, events] = await Promise.all([
    sql<OfDelivery<State>>`
      SELECT d.id AS "deliveryId", d.created_at AS "createdAt", d.updated_at AS "updatedAt", d.begun_at AS "begunAt",
        p.name AS provider, d.attempts > 0 AS tried, ${isHeld} AS held
      FROM deliveries d LEFT JOIN accounts p ON p.id = d.account_id
      WHERE ${inMonthsOf(sql`d.run_id`, ids)} AND d.id = ANY(${ids}::bigint[])`.execute(db),
    sql<OfDelivery<Try>>`
      SELECT a.delivery_id AS "deliveryId", a.n, a.started_at AS "startedAt", a.ended_at AS "endedAt",
        p.name AS provider, a.outcome, a.code, a.detail, a.next_try_at AS "nextTryAt"
      FROM attempts a JOIN accounts p ON p.id = a.account_id
      WHERE ${inMonthsOf(sql`a.delivery_id`, ids)} AND a.delivery_id = ANY(${ids}::bigint[]) ORDER BY a.n`.execute(
      db,
    ),
    sql<OfDelivery<{ at: Date; kind: DeliveryEventKind; detail: string | null }>>`
      SELECT delivery_id AS "deliveryId", at, kind, detail FROM delivery_events
      WHERE ${inMonthsOf(sql`delivery_id`, ids)} AND delivery_id = ANY(${ids}::bigint[]) ORDER BY id`.execute(
      db,
    ),
  ]);
  const stateOf = new Map(rows.rows.map((row) => [row.deliveryId, row]));
  const attemptsOf = Map.groupBy(attempts.rows, ({ deliveryId }) => deliveryId);
  const eventsOf = Map.groupBy(events.rows, ({ deliveryId }) => deliveryId);
  return new Map(
    deliveries.map((delivery) => {
      const moments = [
        ...states(delivery, stateOf.get(delivery.id)!, queued),
        ...(attemptsOf.get(delivery.id) ?? []).map((attempt) => ({
          at: attempt.endedAt,
          ...attemptText(attempt),
        })),
        // What we did besides the attempts, and what the provider reported.
        ...(eventsOf.get(delivery.id) ?? []).map(({ at, kind, detail }) => ({
          at,
          ...eventText(kind, delivery.channel),
          detail,
        })),
      ];
      // The sort is stable: events of one statement keep the order in which they were added.
      moments.sort((a, b) => a.at.getTime() - b.at.getTime());
      const { tried, held } = stateOf.get(delivery.id)!;
      if (tried && held) {
        const { at } = moments.at(-1)!;
        moments.push({ at, kind: "waiting", sentence: delivery.sentence, detail: null });
      }
      return [delivery.id, moments.map((moment) => ({ ...moment, at: moment.at.toISOString() }))];
    }),
  );
}

/** What the delivery's own row says: its start, the attempt under way, and an end that no attempt recorded. */
function states(delivery: Delivery, row: State, queued: boolean): Moment[] {
  const moments: Moment[] = [];
  const say = (at: Date, kind: Moment["kind"], sentence: string, detail: string | null = null) =>
    moments.push({ at, kind, sentence, detail });
  const { status, reason } = delivery;
  // The address that has been added since was missing then.
  const sentence =
    delivery.addressAdded && reason ? reasonSentence(reason, delivery.channel) : delivery.sentence;

  if (status === "skipped" && !row.tried) {
    say(row.updatedAt, "bad", sentence);
    return moments;
  }
  if (queued) say(row.createdAt, "done", `Queued for ${formatAddress(delivery)}.`);
  if (status === "sending" && row.begunAt)
    say(row.begunAt, "waiting", `Being sent to ${isolated(row.provider ?? "")}.`);
  else if (status === "sending") say(row.updatedAt, "waiting", "Next in line.");
  if (status === "queued" && !row.tried) {
    say(row.updatedAt, "waiting", sentence);
  }
  if (
    status === "skipped" ||
    status === "cancelled" ||
    status === "expired" ||
    (status === "failed" && !row.tried)
  ) {
    say(row.updatedAt, "bad", sentence);
  }
  if (
    status === "failed" &&
    row.tried &&
    reason !== null &&
    ["gave-up", "unconfirmed", "crashed"].includes(reason)
  ) {
    say(row.updatedAt, "bad", sentence);
  }
  return moments;
}

function attemptText(attempt: Try): Pick<Moment, "kind" | "sentence" | "detail"> {
  const { nextTryAt } = attempt;
  const provider = isolated(attempt.provider);
  const took = duration(attempt.endedAt.getTime() - attempt.startedAt.getTime());
  const answer = answerText(attempt);
  const detail = `Attempt ${attempt.n}, ${took}${answer === "" ? "" : `: ${answer}`}`;
  const then = nextTryAt === null ? "" : " We'll retry automatically.";
  switch (attempt.outcome) {
    case "accepted":
      return { kind: "good", sentence: `Accepted by ${provider}.`, detail };
    case "refused":
      return { kind: "bad", sentence: `${provider} refused it.`, detail };
    case "throttled":
      return { kind: "waiting", sentence: `${provider} asked us to slow down.${then}`, detail };
    case "misconfigured":
      return {
        kind: "waiting",
        sentence: `${provider} is rejecting our messages. Check its settings.`,
        detail,
      };
    case "uncertain":
      return { kind: "waiting", sentence: `Sent to ${provider}, but it never answered.`, detail };
    case "unavailable":
      return {
        kind: nextTryAt === null ? "bad" : "waiting",
        sentence: `We couldn't reach ${provider}.${then}`,
        detail,
      };
    default:
      return attempt.outcome satisfies never;
  }
}

/** "550 5.1.1 No such user", "The answer never came (no_answer)" */
function answerText({ code, detail }: Pick<Try, "code" | "detail">): string {
  if (!code || !detail) return code || detail || "";
  return /\d/.test(code) ? `${code} ${detail}` : `${detail} (${code})`;
}

/** "180 ms", "2.4 s" */
function duration(ms: number): string {
  return ms < 1000 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`;
}

const eventTexts: Record<DeliveryEventKind, Pick<Moment, "kind" | "sentence">> = {
  "sent-again": { kind: "done", sentence: "Someone retried it." },
  "taken-over": { kind: "done", sentence: "Sending was interrupted. Another process took over." },
  requeued: {
    kind: "done",
    sentence: "The account was refusing everyone, so this refusal doesn't count. We'll retry automatically.",
  },
  "answered-late": { kind: "done", sentence: "The answer came late: the message was accepted." },
  repeated: {
    kind: "done",
    sentence: "We got no answer, so we're sending it once more.",
  },
  accepted: { kind: "good", sentence: "The provider reports that it accepted the message." },
  delayed: { kind: "waiting", sentence: "Delivery is delayed. The provider keeps trying." },
  delivered: { kind: "good", sentence: "Delivered, as the provider confirms." },
  bounced: { kind: "bad", sentence: "It bounced." },
  failed: { kind: "bad", sentence: "The provider couldn't deliver it." },
  opened: { kind: "good", sentence: "It was opened." },
  clicked: { kind: "good", sentence: "A link in it was clicked." },
  complained: { kind: "bad", sentence: "The person marked it as spam." },
  unsubscribed: { kind: "bad", sentence: "The person unsubscribed." },
  replied: { kind: "done", sentence: "They replied by text message." },
};

function eventText(kind: DeliveryEventKind, channel: Channel): Pick<Moment, "kind" | "sentence"> {
  if (kind !== "repeated" || addressKind(channel) !== "email") return eventTexts[kind];
  return {
    ...eventTexts.repeated,
    sentence: "We got no answer, so we're sending it once more under the same message ID.",
  };
}

const HOME = "1";

/** Where a message goes, as people write it: "(415) 555-0123", "+44 20 7946 0018". */
export function formatAddress({ channel, address }: Pick<Delivery, "channel" | "address">): string {
  if (address === null) return "this person";
  if (addressKind(channel) === "device") return "this person's devices";
  if (addressKind(channel) === "email") return address;
  const number = parsePhoneNumberFromString(address);
  if (!number) return address;
  return number.countryCallingCode === HOME ? number.formatNational() : number.formatInternational();
}
