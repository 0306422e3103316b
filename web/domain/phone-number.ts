import { addressKind, type Channel } from "#contract/delivery.ts";
import { nationalFormat, type PhoneFormat } from "#contract/text/phone-format.ts";

/** Country codes of one and of two digits; all others have three. */
const COUNTRY = /^\+(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})(\d+)$/;

/** Until the server has said which country's it is. */
const american: PhoneFormat = {
  country: "US",
  callingCode: "1",
  formats: [{ pattern: "(\\d{3})(\\d{3})(\\d{4})", leading: "", format: "($1) $2-$3" }],
  example: "(415) 555-0123",
  international: "+14155550123",
};
let home = american;

/** Sets how the organization's country writes its numbers, as the shell's state has it. */
export function setHomePhones(format: PhoneFormat): void {
  home = format;
}

/** "(415) 555-0123", or a number as the organization's country writes it. */
export const phoneExample = (): string => home.example;
export const internationalExample = (): string => home.international;
/** "+44 20 7946 0018", or a number outside of the United Kingdom. */
export const foreignExample = (): string =>
  home.callingCode === "44" ? "+1 415 555 0123" : "+44 20 7946 0018";

/**
 * An E.164 number as people read it: as the organization's country writes its own, otherwise the country code and the
 * rest in groups, "+44 207 946 0018". Each country's own grouping would need a table of all numbering plans.
 */
export function nationalPhone(e164: string): string {
  const national = nationalFormat(e164, home);
  if (national) return national;
  const [, country, rest] = COUNTRY.exec(e164) ?? [];
  if (!country || !rest) return e164;
  // Groups of three digits, with two to four in the last one, so that no digit is alone.
  return `+${country} ${rest.replaceAll(/\d{3}(?=\d{2})/g, "$& ")}`;
}

const E164 = /\+[1-9]\d{6,14}(?=,|$)/g;

/** A person's other contacts with their numbers as people read them. */
export const shownContacts = (contacts: string): string => contacts.replaceAll(E164, nationalPhone);

/** A message's address as people read it; null if it means nothing to them, such as a device's. */
export function shownAddress(channel: Channel, address: string | null): string | null {
  const kind = addressKind(channel);
  if (kind === "device" || address === null) return null;
  return kind === "phone" ? nationalPhone(address) : address;
}
