import { sql } from "kysely";
import type { Channel } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";

/** Those of the channels that currently deliver for real; the others deliver to the Sandbox. */
export async function connectedAmong(db: Db, channels: readonly Channel[]): Promise<Channel[]> {
  const { rows } = await sql<{ channel: Channel }>`
    SELECT DISTINCT channel FROM accounts WHERE enabled AND NOT simulated`.execute(db);
  return channels.filter((channel) => rows.some((row) => row.channel === channel));
}
