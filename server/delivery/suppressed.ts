import { sql, type RawBuilder } from "kysely";
import type { Reason } from "#contract/delivery-reasons.ts";
import type { SuppressionKind } from "#contract/suppressions.ts";

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
  WHEN 'complained' THEN 'They marked a message as spam.'
  WHEN 'unsubscribed' THEN 'They unsubscribed.' END`;
