import { deliveries, type Delivery } from "#contract/calls/deliveries.ts";
import { type Channel, deliveryStatusMeaning } from "#contract/delivery.ts";
import { useReadList } from "#web/api/use-read.ts";
import { deliveryFilter, type DetailSearch } from "#web/features/notifications/detail/delivery-query.ts";
import { ROWS_PER_PAGE } from "#web/features/notifications/list-query.ts";

/** One person of a run, with a delivery per channel. */
export type Recipient = readonly [Delivery, ...Delivery[]];

export const isReached = ({ status }: Delivery) => deliveryStatusMeaning[status].group === "reached";

/** In a run that also has real channels, what went to the Sandbox reached no one. */
export function wasReached(recipient: readonly Delivery[]): boolean {
  const real = recipient.filter(({ simulated }) => !simulated);
  return (real.length > 0 ? real : recipient).some(isReached);
}

/** Something went out to them, or was tried. */
export const wasSent = ({ sentAt, lastTryAt }: Delivery) => sentAt !== null || lastTryAt !== null;

/** The page of people that the URL asks for. The server sends each person's deliveries next to each other. */
export function useRecipients(notificationId: number, search: DetailSearch, { enabled = true } = {}) {
  const { show, q, page } = deliveryFilter(search);
  const read = useReadList(
    deliveries.list,
    { params: { id: notificationId }, query: { show, q, page, pageSize: ROWS_PER_PAGE } },
    { enabled },
  );
  return { ...read, data: read.data && { ...read.data, rows: byPerson(read.data.rows) } };
}

function byPerson(rows: readonly Delivery[]): Recipient[] {
  return [...Map.groupBy(rows, ({ userId }) => userId).values()] as unknown as Recipient[];
}

/** Their message on this channel, otherwise the first that was sent to them, otherwise the first. */
export function leadOf(recipient: Recipient, channel: Channel | undefined): Delivery {
  return recipient.find((one) => one.channel === channel) ?? recipient.find(wasSent) ?? recipient[0];
}
