import { type Contact, contactsIn, contactsText, emailIn, rankOf } from "#contract/text/contact-text.ts";
import { readPhone } from "#server/features/people/phone.ts";

/** The other numbers and addresses of a person, beside the ones that messages go to. */

/** As many as the column is meant for. */
const OTHERS_MAX = 1000;

/** Which of so many numbers in one cell messages go to. */
export type Chosen = { which: "mobile" | "first"; of: number };

/** `phone` is null if there is only a fax or a relative's number. */
type PhonesReading =
  | { phone: string | null; others: Contact[]; chosen?: Chosen }
  /** `others`: a number that exists, but can't be used. */
  | { reason: string; others?: Contact[] };

/**
 * The phone number of a field or cell as E.164, a mobile phone's before any other, and what else it contains. If none can
 * be used, the reason of the first.
 */
export function readPhones(text: string, country: string): PhonesReading {
  const whole = readPhone(text, country);
  if ("phone" in whole) return { phone: whole.phone, others: [] };
  const found = contactsIn(text).map(({ label, text: written }) => {
    const reading = readPhone(written, country);
    const phone = "phone" in reading ? reading.phone : null;
    const rank = label === "" && "phone" in reading && reading.mobile ? 0 : rankOf(label);
    return { label, text: phone ?? plain(written), phone, rank, reading };
  });
  const usable = found.filter(({ phone, rank }) => phone !== null && rank < 2);
  const [best] = usable.toSorted((one, other) => one.rank - other.rank);
  const others = found.filter((one) => one !== best && (one.phone ?? one.text) !== best?.phone);
  const kept = others
    .filter(({ text: one }) => /\d{3}|@/.test(one))
    .map(({ label, text: one }) => ({ label, text: one }));
  if (best) {
    const of = 1 + others.filter(({ phone }) => phone !== null).length;
    const which = best.rank === 0 && others.every(({ rank }) => rank > 0) ? "mobile" : "first";
    return { phone: best.phone, others: kept, ...(of > 1 && { chosen: { which, of } }) };
  }
  if (found.some(({ phone }) => phone !== null)) return { phone: null, others: kept };
  const refused = [...found.map(({ reading }) => reading), whole].find((reading) => "reason" in reading);
  return {
    reason: found.length > 1 ? "None of these is a phone number" : (refused?.reason ?? whole.reason),
    ...(found.some(({ reading }) => "ext" in reading) && { others: kept }),
  };
}

const plain = (text: string) => emailIn(text) ?? text;

/** A list of other numbers and addresses as it is stored: numbers as E.164, each once, without the `used` ones. */
export function otherContacts(
  texts: readonly (string | readonly Contact[])[],
  country: string,
  used: readonly (string | null | undefined)[],
): string {
  const seen = new Set(used.map((one) => one?.toLowerCase()));
  const kept: Contact[] = [];
  for (const { label, text } of texts.flatMap((one) => (typeof one === "string" ? contactsIn(one) : one))) {
    // As it is stored, it has been read before.
    if (seen.has(text.toLowerCase())) continue;
    const reading = readPhone(text, country);
    const value = "phone" in reading ? reading.phone : plain(text);
    if (seen.has(value.toLowerCase())) continue;
    seen.add(value.toLowerCase());
    const longer = contactsText([...kept, { label, text: value }]);
    if (longer.length <= OTHERS_MAX) kept.push({ label, text: value });
  }
  return contactsText(kept);
}
