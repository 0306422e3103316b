import { isCompany, splitCompany } from "#contract/text/company.ts";

/** "Maria Lopez"; just the other one, if a name is empty. */
export function fullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`.trim();
}

/** Particles that belong to the last name that follows: "Ludwig van Beethoven", "Maria de la Cruz". */
const PARTICLE =
  /^(?:van|von|der|den|de|del|della|di|da|dos|das|du|la|le|el|al|bin|ibn|ter|ten|st\.?|saint)$/i;
const TITLE = /^(?:mr|mrs|ms|miss|mx|dr|prof)\.?$/i;
const SUFFIX = /^(?:jr|sr|ii|iii|iv|md|phd|esq)\.?$/i;
/** Joins several people in one cell. */
const SEVERAL = /[&;/+\n]|\s(?:and|or)\s/i;

/**
 * Splits a full name into first and last name: "Maria Lopez", "Lopez, Maria", "Dr. Anna van der Berg Jr.".
 * A company keeps its legal form in the last name: "Example", "Holdings, LLC".
 * Null if it cannot be split: a single word, or several people.
 */
export function splitFullName(text: string): { firstName: string; lastName: string } | null {
  const name = text.trim();
  if (isCompany(name)) return splitCompany(name);
  if (SEVERAL.test(name)) return null;
  const [before = [], ...rest] = name.split(",").map((part) => part.split(/\s+/).filter(Boolean));
  const suffixes = rest.filter((words) => words.every((word) => SUFFIX.test(word))).flat();
  const others = rest.filter((words) => !words.every((word) => SUFFIX.test(word)));
  if (before.length === 0 || others.length > 1) return null;
  const given = others[0]?.filter((word) => !TITLE.test(word));
  return given ? join(given, [...before, ...suffixes]) : inOrder([...before, ...suffixes]);
}

/** "Anna van der Berg Jr.": the last name is the last word, with the particles before it and the suffix after it. */
function inOrder(words: readonly string[]): ReturnType<typeof splitFullName> {
  const named = words.filter((word) => !TITLE.test(word));
  let last = named.length - 1;
  while (last > 1 && SUFFIX.test(named[last] ?? "")) last--;
  while (last > 1 && PARTICLE.test(named[last - 1] ?? "")) last--;
  return join(named.slice(0, last), named.slice(last));
}

function join(first: readonly string[], last: readonly string[]): ReturnType<typeof splitFullName> {
  if (first.length === 0 || last.length === 0) return null;
  return { firstName: first.join(" "), lastName: last.join(" ") };
}
