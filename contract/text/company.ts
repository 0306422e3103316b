/** Legal forms of companies that no one is called by, in any case. */
const ANY_CASE =
  "inc\\.?|incorporated|l\\.?l\\.?c\\.?|l\\.?l\\.?p\\.?|lllp|pllc|p\\.l\\.l\\.c\\.|plc|corp\\.?|corporation|ltd\\.?|limited|ltda\\.?|lda\\.?|pty|pvt|gmbh|mbh|gbr|ohg|e\\.v\\.|e\\.k\\.|s\\.?r\\.?o\\.?|s\\.?p\\.?a\\.?|s\\.?r\\.?l\\.?|s\\.?a\\.?r\\.?l\\.?|s\\.a\\.|s\\.a\\.s\\.|s\\.l\\.u?\\.?|s\\.c\\.|eurl|b\\.v\\.|n\\.v\\.|a/s|aps|oyj|a\\.s\\.|d\\.o\\.o\\.|z o\\.? ?o\\.?|kft\\.?|zrt\\.?|k\\.k\\.|co\\.|p\\.c\\.|p\\.a\\.|l\\.p\\.|trust";
/** These are also names, so they count only in capitals. */
const CAPITALS = "AG|KG|UG|SE & Co\\. KG|BV|NV|LP";

const END = new RegExp(`[ ,](?:${ANY_CASE})$`, "i");
const CAPITAL_END = new RegExp(`[ ,](?:${CAPITALS})$`);

/** Where the legal form begins at the end of a company's name; -1 for a person's. The same as `is_company` in PostgreSQL. */
const formAt = (name: string) => Math.max(name.search(END), name.search(CAPITAL_END));

/** Whether a full name is a company's: "Example Holdings, LLC". */
export const isCompany = (name: string) => formAt(name.trim()) > 0;

/** Whether this is a legal form and nothing else: "Inc." */
export const isLegalForm = (text: string) => formAt(` ${text.trim()}`) === 0;

/** A company's name in the two parts that a person's has, its legal form alone only if there is one other word. */
export function splitCompany(name: string): { firstName: string; lastName: string } {
  const end = formAt(name);
  const words = name.slice(0, end).trimEnd();
  const space = words.lastIndexOf(" ");
  const at = space > 0 ? space : end + 1;
  return { firstName: name.slice(0, at).trim(), lastName: name.slice(at).trim() };
}
