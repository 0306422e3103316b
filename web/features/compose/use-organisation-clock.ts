import { audience } from "#contract/audience.ts";
import { useRead } from "#web/api/use-read.ts";
import { readClock } from "#web/features/compose/organisation-clock.ts";
import type { ClockReading } from "#web/features/compose/organisation-clock.ts";

export type OrganisationClock = {
  zone: string;
  /** What it shows at this moment, by the server's clock and not the browser's. */
  read: () => ClockReading;
};

/** The organisation's clock; undefined until the server has told it once. */
export function useOrganisationClock(): OrganisationClock | undefined {
  const { data, dataUpdatedAt } = useRead(audience.today);
  if (!data) return undefined;
  const ahead = Date.parse(data.now) - dataUpdatedAt;
  return { zone: data.timeZone, read: () => readClock(Date.now() + ahead, data.timeZone) };
}
