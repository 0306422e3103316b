import { type Channel, channels } from "#contract/delivery.ts";

/** The tabs of Integrations, in their order. */
export const accountTabs: Record<Channel, string> = {
  push: "OneSignal",
  email: "Email Service",
  sms: "SMS Service",
};

/** The tab that is open without a name in the URL. */
export const FIRST_ACCOUNT_TAB: Channel = "push";

/** The search parameters of Integrations that open a channel's tab; undefined: the first one. */
export const accountsSearch = (channel: string | undefined): { tab?: Channel } => {
  const known = channels.find((one) => one === channel);
  return known === undefined || known === FIRST_ACCOUNT_TAB ? {} : { tab: known };
};
