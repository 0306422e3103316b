/** Legal forms of companies that no one is called by, in any case. */
const ANY_CASE =
  "inc\\.?|incorporated|l\\.?l\\.?c\\.?|l\\.?l\\.?p\\.?|lllp|pllc|p\\.l\\.l\\.c\\.|plc|corp\\.?|corporation|ltd\\.?|limited|ltda\\.?|lda\\.?|pty|pvt|gmbh|mbh|gbr|ohg|e\\.v\\.|e\\.k\\.|s\\.?r\\.?o\\.?|s\\.?p\\.?a\\.?|s\\.?r\\.?l\\.?|s\\.?a\\.?r\\.?l\\.?|s\\.a\\.|s\\.a\\.s\\.|s\\.l\\.u?\\.?|s\\.c\\.|eurl|b\\.v\\.|n\\.v\\.|a/s|aps|oyj|a\\.s\\.|d\\.o\\.o\\.|z o\\.? ?o\\.?|kft\\.?|zrt\\.?|k\\.k\\.|co\\.|p\\.c\\.|p\\.a\\.|l\\.p\\.|trust";
/** These are also names, so they count only in capitals. */
const CAPITALS = "AG|KG|UG|SE & Co\\. KG|BV|NV|LP";

const END = new RegExp(`[ ,](?:${ANY_CASE})$`, "i");
const CAPITAL_END = new RegExp(`[ ,](?:${CAPITALS})$`);

/**
 * "Ann Trust", "Mary Ann Trust", "Dr. Ann M. Trust", "Moyo, Trust", "MARIA LP": these forms are names, too, beside one
 * other, or two given names, and nothing else. "ABC Trust" and "Moyo Family Trust" are no people's, and where all is in
 * capitals, those say nothing. "SIEMENS AG" is a company's.
 */
const SECOND =
  "Ann|Anna|Anne|Beth|Ellen|Jane|Jean|Jo|John|Kate|Kay|Lee|Lou|Louise|Lynn|Mae|Maria|Marie|May|Paul|Rose|Sue";
const PERSON = new RegExp(
  `^(?:(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof)\\.? )?[^ ,.&/0-9]*[a-z][^ ,.&/0-9]*(?: (?:${SECOND}))?(?: [^ ,.&/0-9]\\.?)*,? [Tt]rust$`,
);
const CAPITAL_PERSON = new RegExp(
  `^(?:(?:MR|MRS|MS|MISS|MX|DR|PROF)\\.? )?[^ ,.&/0-9a-z]{2,}(?: (?:${SECOND.toUpperCase()}))?(?: [^ ,.&/0-9a-z]\\.?)* (?:TRUST|KG|LP)$`,
);
const isPerson = (name: string) => PERSON.test(name) || CAPITAL_PERSON.test(name);

/**
 * Where the legal form begins at the end of a company's name; -1 for a person's. The same as `is_company_name` in
 * PostgreSQL.
 */
const formAt = (name: string) => (isPerson(name) ? -1 : Math.max(name.search(END), name.search(CAPITAL_END)));

/** Whether a full name is a company's: "Example Holdings, LLC". */
export const isCompany = (name: string) => formAt(name.trim()) > 0;

/** Whether this is a legal form and nothing else: "Inc." */
export const isLegalForm = (text: string) => formAt(`x ${text.trim()}`) === 1;

/** A company's name in the two parts that a person's has, its legal form alone only if there is one other word. */
export function splitCompany(name: string): { firstName: string; lastName: string } {
  const end = formAt(name);
  const words = name.slice(0, end).trimEnd();
  const space = words.lastIndexOf(" ");
  const at = space > 0 ? space : end + 1;
  return { firstName: name.slice(0, at).trim(), lastName: name.slice(at).trim() };
}
