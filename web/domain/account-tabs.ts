import { type Channel, channels } from "#contract/delivery.ts";

/** The tab of Integrations that is open without a name in the URL. */
export const FIRST_ACCOUNT_TAB: Channel = "push";

/** The tabs of Integrations, in their order. */
export const accountTabs: readonly Channel[] = [
  FIRST_ACCOUNT_TAB,
  ...channels.filter((channel) => channel !== FIRST_ACCOUNT_TAB),
];

/** The search parameters of Integrations that open a channel's tab. Anything else means the first one. */
export const accountsSearch = (channel: string | null | undefined): { tab?: Channel } => {
  const known = channels.find((one) => one === channel);
  return known === undefined || known === FIRST_ACCOUNT_TAB ? {} : { tab: known };
};
