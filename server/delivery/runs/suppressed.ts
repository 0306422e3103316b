import { sql, type RawBuilder } from "kysely";
import type { Reason } from "#contract/delivery-reasons.ts";
import type { SuppressionKind } from "#contract/calls/suppressions.ts";
import { reportedReasons } from "#contract/refusals/blocked-reasons.ts";
import { isOptOut } from "#server/audience/person.ts";

/**
 * Why a provider sends nothing to an address on its own list. Transports give it as the `code`, which is stored with
 * receipts and refusals. `suppressed`: it doesn't say why.
 */
const causes = {
  unsubscribed: { reason: "unsubscribed", kind: "unsubscribe" },
  complained: { reason: "refused", kind: "complaint" },
  suppressed: { reason: "refused", kind: "bounce" },
} as const satisfies Record<string, { reason: Reason; kind: SuppressionKind }>;

export type Cause = keyof typeof causes;

export function isCause(code: string | undefined): code is Cause {
  return code !== undefined && Object.hasOwn(causes, code);
}

/** Why a message to a suppressed address wasn't delivered. */
export function suppressedReason(code: string | undefined): Reason {
  return isCause(code) ? causes[code].reason : "no-such-address";
}

/** The kind of block, in SQL. `cause`: a code, or the kind of a receipt. */
export const blockedKind = (cause: RawBuilder<unknown>) =>
  sql`CASE ${cause} ${sql.join(
    Object.entries(causes).map(([code, { kind }]) => sql`WHEN ${sql.lit(code)} THEN ${sql.lit(kind)}`),
    sql` `,
  )} ELSE 'bounce' END`;

/** Why an address is blocked, in SQL, if the cause says it. */
export const blockedBecause = (cause: RawBuilder<unknown>) => sql`CASE ${cause}
  WHEN 'complained' THEN ${sql.lit(reportedReasons.complained)}
  WHEN 'unsubscribed' THEN ${sql.lit(reportedReasons.unsubscribed)} END`;

/**
 * How a provider's report is inserted `AS o` where the address is blocked already: an opt-out and another cause stand
 * beside each other, and the provider's word is stronger than a text that only sounds like STOP.
 */
export const besideOtherCauses = sql`ON CONFLICT (channel, address) DO UPDATE SET
    opted_out_by = CASE WHEN o.words IS NULL OR excluded.kind <> 'unsubscribe'
      THEN coalesce(o.opted_out_by, 'provider') ELSE 'provider' END,
    words = CASE WHEN excluded.kind <> 'unsubscribe' THEN o.words END,
    kind = CASE o.kind WHEN 'unsubscribe' THEN excluded.kind ELSE o.kind END,
    reason = CASE o.kind WHEN 'unsubscribe' THEN excluded.reason ELSE o.reason END,
    source = CASE o.kind WHEN 'unsubscribe' THEN excluded.source ELSE o.source END,
    delivery_id = CASE o.kind WHEN 'unsubscribe' THEN excluded.delivery_id ELSE o.delivery_id END
  WHERE NOT ${saysAlready("o", sql`excluded.kind`)}`;

/** Whether the row `of` of `suppressions` says already what a provider reports with this kind. */
export function saysAlready(of: string, kind: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql`CASE ${kind} WHEN 'unsubscribe' THEN ${isOptOut(of)} AND ${sql.ref(`${of}.words`)} IS NULL
    ELSE ${sql.ref(`${of}.kind`)} <> 'unsubscribe' END`;
}
