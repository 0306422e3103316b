/** UAX #15's limit for streams. No language puts more than a few marks on a letter. */
const MANY_MARKS = /\p{M}{31}/u;

/**
 * The text with accented letters as single characters (NFC). A text with dozens of marks on one letter stays as it is:
 * sorting them takes quadratic time, minutes for a megabyte.
 */
export const composed = (text: string): string => (MANY_MARKS.test(text) ? text : text.normalize("NFC"));

/** The text with letters and marks apart, in their plainest forms (NFKD), under the same limit. */
export const decomposed = (text: string): string => (MANY_MARKS.test(text) ? text : text.normalize("NFKD"));
