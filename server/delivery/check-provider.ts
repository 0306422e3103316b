import { sql } from "kysely";
import { AppError } from "#contract/errors.ts";
import type { ProviderState } from "#contract/shell.ts";
import type { Db } from "#server/db/database.ts";
import type { Check } from "./channels/channel.ts";
import { hintWork, tellPages } from "./hints.ts";
import { providerColumns, providerStates } from "./providers.ts";
import type { Channels, ProviderRow } from "./providers.ts";

/**
 * Asks the provider itself whether it would take messages, and writes down what it said: a paused one goes on.
 * No connection to the database is held meanwhile. Throws AppError not-found, and unavailable where this process
 * has no account for it.
 */
export async function checkProvider(db: Db, id: number, channels: Channels): Promise<ProviderState> {
  const found = await sql<ProviderRow>`
    SELECT ${providerColumns} FROM providers WHERE id = ${id} AND enabled`.execute(db);
  const provider = found.rows[0];
  if (!provider) throw new AppError("not-found", "There is no such provider.");
  const channel = channels.of(provider);
  if (!channel) {
    throw new AppError(
      "unavailable",
      `This server has no account for ${provider.name}. Restart it with the same settings.`,
    );
  }
  await recordCheck(db, provider, await channel.check());
  const state = (await providerStates(db)).find((known) => known.id === id);
  if (!state) throw new AppError("not-found", "There is no such provider any more.");
  return state;
}

/** Half a minute after the first failure, twice as long after each further one, ten minutes at most. */
const nextProbe = sql`now() + least(30 * power(2, least(setbacks, 10)), 600) * interval '1 second'`;

export async function recordCheck(db: Db, { id }: Pick<ProviderRow, "id">, check: Check): Promise<void> {
  await (
    check.ok
      ? sql`UPDATE providers SET state = 'ok', state_reason = ${check.detail}, state_at = now(), retry_at = NULL,
          setbacks = 0
        WHERE id = ${id}`
      : sql`UPDATE providers SET state = ${check.of === "misconfigured" ? "paused" : "resting"},
          state_reason = ${check.detail}, state_at = now(), retry_at = ${nextProbe}, setbacks = setbacks + 1
        WHERE id = ${id}`
  ).execute(db);
  await tellPages(db, { type: "providers" });
  if (check.ok) await hintWork(db);
}
