import { fold } from "#contract/text/fold.ts";
import type { Channel } from "#contract/delivery.ts";

/** A notification or schedule that so far exists only in this browser. */
export type Unsent = {
  /** 100 to 10099: one on the server may have the same number. */
  localId: number;
  clientKey: string;
  title: string;
  channels: Channel[];
  recipients: string;
  /** When it was kept here. ISO 8601. */
  keptAt: string;
  /** When a notification is to go out; null: as soon as the server answers. */
  plannedFor: string | null;
  /** Why the server refused it, in its own words; null while it only waits for the server. */
  refusal: string | null;
  /** While it waits: what was answered to the last try; null if nothing was. */
  obstacle: string | null;
  /** It is being sent to the server right now. */
  underWay: boolean;
};

export const UNSENT_LABEL = "Not yet sent";

type Stored = { clientKey: string | null };

/** A row from the server, or one that only this browser has. */
export function isUnsent(row: object): row is Unsent {
  return "localId" in row;
}

/**
 * The list as a person should see it: what this browser still keeps comes first, on the first page, and replaces the
 * server's row of the same client key. `total` counts both.
 */
export function mergeUnsent<Row extends Stored>(
  server: { rows: readonly Row[]; total: number },
  unsent: readonly Unsent[],
  { q, page }: { q: string; page: number },
): { unsent: Unsent[]; rows: Row[]; total: number } {
  const kept = unsent.filter((one) => matches(one, q));
  const keys = new Set(kept.map((one) => one.clientKey));
  const rows = server.rows.filter((row) => row.clientKey === null || !keys.has(row.clientKey));
  const hidden = server.rows.length - rows.length;
  return { unsent: page === 1 ? kept : [], rows, total: server.total - hidden + kept.length };
}

/** Like the server's search: title, recipients or status, in their folded form. */
const matches = ({ title, recipients }: Unsent, q: string) =>
  fold(`${title} ${recipients} ${UNSENT_LABEL}`).includes(fold(q));
