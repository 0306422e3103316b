import { type RawBuilder, sql } from "kysely";
import { fold } from "#contract/text/fold.ts";
import { containing } from "#server/db/like.ts";

/** As people copy an address out of a link. */
const LINK = /^(?:mailto|tel|sms|callto):\s*/i;
const WRITTEN_PHONE = /^[+(]?[\d\s()+./\u2010-\u2015\u2212-]{6,}$/i;
/** What stands between property and unit: "Maple Court / 4B", "Maple Court, #4B", "Maple Court - 4B". */
const BETWEEN = /[\s,;/|#]+(?:[-–—]+\s+)?/;
/** Says only that a unit follows; the unit is stored without it as often as with it. */
const UNIT_WORD = /^(?:unit|apartment|apt|suite|ste)\.?$/i;

/**
 * The words of `q` to search for, each with its other ways of writing. A phone number is searched by its digits, as it
 * is stored. A home is searched by its parts, "maple", "court", "4b", however they are separated.
 */
function searchTerms(q: string): string[][] {
  const text = q.normalize("NFKC").trim().replace(LINK, "");
  const number = numberForms(text);
  if (number) return [number];
  const words = text.split(BETWEEN).filter((word) => fold(word) !== "");
  const telling = words.filter((word) => !UNIT_WORD.test(word));
  return [...new Set(telling.length > 0 ? telling : words)].map((word) => numberForms(word) ?? [word]);
}

/**
 * A phone number's digits as its stored form, "+442079460018", may contain them: "(415) 555-0123" as they are,
 * "020 7946 0018" and "+44 (0)20 7946 0018" without the digit that some countries dial first. Null: not a number.
 */
function numberForms(text: string): string[] | null {
  if (!WRITTEN_PHONE.test(text)) return null;
  const digits = text.replaceAll(/\D/g, "");
  if (digits.length < 6) return null;
  const national = digits.length === 11 ? /^(?:8|06)/ : /^0+/;
  const forms = [
    digits,
    digits.replace(/^0+/, ""),
    digits.replace(national, ""),
    text.replace("(0)", "").replaceAll(/\D/g, ""),
  ];
  return [...new Set(forms.filter((form) => form.length >= 6))];
}

const TRIGRAM = 3;

/** Whether the trigram index can find this search. */
export function indexedSearch(q: string): boolean {
  return searchTerms(q).some((forms) => forms.every((form) => fold(form).length >= TRIGRAM));
}

const anyOf = (conditions: RawBuilder<unknown>[]) => sql<boolean>`(${sql.join(conditions, sql` OR `)})`;
const allOf = (conditions: RawBuilder<unknown>[]) =>
  sql<boolean>`(${sql.join([sql`true`, ...conditions], sql` AND `)})`;

const within = (text: RawBuilder<unknown>, forms: readonly string[]) =>
  anyOf(forms.map((form) => sql`${text} LIKE ${containing(form)}`));
// As the index of them has it. Nearly no one has any.
const inOthers = (forms: readonly string[]) =>
  sql<boolean>`(u.other_contacts <> '' AND u.deleted_at IS NULL AND ${within(sql`lower(u.other_contacts)`, forms)})`;

/** What identifies a person, their other contacts included, of `users` under this alias or a list with its columns. */
export const identity = (alias: string): RawBuilder<string> => sql`CASE ${sql.ref(`${alias}.other_contacts`)}
  WHEN '' THEN ${sql.ref(`${alias}.folded`)} ELSE ${sql.ref(`${alias}.folded`)} || ' ' || fold(${sql.ref(`${alias}.other_contacts`)}) END`;

/**
 * Every word of `q` occurs somewhere in what identifies a person of `users u`, their other contacts included; or in
 * `text`.
 */
export function matching(q: string, text?: RawBuilder<unknown>): RawBuilder<boolean> {
  const terms = searchTerms(q);
  const own = terms.map((forms) => within(text ?? sql`u.folded`, forms));
  if (text || terms.length === 0) return allOf(own);
  const others = terms.map(inOthers);
  // Each half is found by indexes. For "each word is here or there", PostgreSQL would look up only one of the words.
  const each = own.map((found, place) => anyOf([found, others[place]!]));
  return anyOf([allOf(own), allOf([anyOf(others), ...each])]);
}
