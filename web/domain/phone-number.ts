import { addressKind, type Channel } from "#contract/delivery.ts";

/** Country codes of one and of two digits; all others have three. */
const COUNTRY = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d+)$/;

/**
 * An E.164 number as people read it: "(415) 555-0123" in North America, otherwise the country code and the rest in
 * groups, "+44 207 946 0018". Each country's own grouping would need a table of all numbering plans.
 */
export function nationalPhone(e164: string): string {
  const american = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(e164);
  if (american) return `(${american[1]}) ${american[2]}-${american[3]}`;
  const [, country, rest] = COUNTRY.exec(e164) ?? [];
  if (!country || !rest) return e164;
  // Groups of three digits, with two to four in the last one, so that no digit is alone.
  return `+${country} ${rest.replaceAll(/\d{3}(?=\d{2})/g, "$& ")}`;
}

/** A message's address as people read it; null if it means nothing to them, such as a device's. */
export function shownAddress(channel: Channel, address: string | null): string | null {
  const kind = addressKind(channel);
  if (kind === "device" || address === null) return null;
  return kind === "phone" ? nationalPhone(address) : address;
}
