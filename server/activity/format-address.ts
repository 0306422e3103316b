import { parsePhoneNumberFromString } from "libphonenumber-js/max";
import { addressKind } from "#contract/delivery.ts";
import type { Delivery } from "#contract/deliveries.ts";

const HOME = "1";

/** Where a message goes, as people write it: "(415) 555-0123", "+44 20 7946 0018". */
export function formatAddress({ channel, address }: Pick<Delivery, "channel" | "address">): string {
  if (address === null) return "this person";
  if (addressKind(channel) === "device") return "this person’s devices";
  if (addressKind(channel) === "email") return address;
  const number = parsePhoneNumberFromString(address);
  if (!number) return address;
  return number.countryCallingCode === HOME ? number.formatNational() : number.formatInternational();
}
