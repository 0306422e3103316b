import { type RawBuilder, sql } from "kysely";
import type { Channel } from "#contract/delivery.ts";

/**
 * Whose accounts take simulated messages while they are spread. Nothing leaves, so those that are accepted at once are
 * written with their outcome, as tried under this token, instead of being queued, claimed and settled one after another.
 */
export type Sandbox = {
  token: number;
  accounts: readonly {
    id: number;
    channel: Channel;
    accepts: (address: RawBuilder<unknown>) => RawBuilder<unknown>;
  }[];
};

/** The account that has accepted a line before it is a delivery; null: it is sent. */
export function acceptedBy(
  run: { simulatedChannels: Channel[]; passwordLink: boolean },
  sandbox: Sandbox = { token: 0, accounts: [] },
): RawBuilder<unknown> {
  const cases = sandbox.accounts
    .filter(({ channel }) => run.simulatedChannels.includes(channel) && !run.passwordLink)
    .map(
      ({ id, channel, accepts }) =>
        sql`WHEN c.channel = ${sql.lit(channel)} AND ${accepts(sql`a.address`)} THEN ${id}::bigint`,
    );
  return cases.length === 0
    ? sql`NULL::bigint`
    : sql`CASE WHEN j.reason IS NULL THEN CASE ${sql.join(cases, sql` `)} END END`;
}
