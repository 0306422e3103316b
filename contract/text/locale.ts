/**
 * The language and the customs in which people read numbers, dates and lists. Everything asks here, and each formatter is
 * made once: making one takes longer than a whole table of its texts.
 */
export const locale = "en-US";

const made = new Map<string, unknown>();

function once<Format>(kind: string, options: object, make: () => Format): Format {
  const key = `${kind} ${JSON.stringify(options)}`;
  const before = made.get(key) as Format | undefined;
  if (before) return before;
  const format = make();
  made.set(key, format);
  return format;
}

export const numberFormat = (options: Intl.NumberFormatOptions = {}): Intl.NumberFormat =>
  once("number", options, () => new Intl.NumberFormat(locale, options));

export const dateFormat = (options: Intl.DateTimeFormatOptions = {}): Intl.DateTimeFormat =>
  once("date", options, () => new Intl.DateTimeFormat(locale, options));

export const pluralRules = (options: Intl.PluralRulesOptions = {}): Intl.PluralRules =>
  once("plural", options, () => new Intl.PluralRules(locale, options));

export const relativeTimeFormat = (options: Intl.RelativeTimeFormatOptions = {}): Intl.RelativeTimeFormat =>
  once("relative", options, () => new Intl.RelativeTimeFormat(locale, options));

const listFormat = (options: Intl.ListFormatOptions): Intl.ListFormat =>
  once("list", options, () => new Intl.ListFormat(locale, options));

/** Characters as people see them, however many code points each has. */
export const graphemes = (): Intl.Segmenter =>
  once("graphemes", {}, () => new Intl.Segmenter(locale, { granularity: "grapheme" }));

/** "1,200" */
export const numberText = (number: number | bigint): string => numberFormat().format(number);

/** "Ada, Mei, and Tom" */
export const listText = (texts: Iterable<string>): string => listFormat({}).format(texts);

/** "smtp, ses, or resend" */
export const alternativesText = (texts: Iterable<string>): string =>
  listFormat({ type: "disjunction" }).format(texts);

/** "5 minutes" */
export const unitText = (number: number, unit: string): string =>
  numberFormat({ style: "unit", unit, unitDisplay: "long" }).format(number);
