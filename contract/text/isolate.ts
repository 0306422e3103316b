/** Scripts that are written from right to left: Hebrew, Arabic and their relatives. */
const RIGHT_TO_LEFT =
  /[\u0590-\u05ff\u0600-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The direction of the first letter that has one. */
export function directionOf(text: string): "ltr" | "rtl" | undefined {
  const letter = /\p{L}/u.exec(text)?.[0];
  if (letter === undefined) return undefined;
  return RIGHT_TO_LEFT.test(letter) ? "rtl" : "ltr";
}

/** Whether a value could turn the text around it: it has letters of the other direction, or numbers in a text from the right. */
export function turnsAround(value: string, around: "ltr" | "rtl" = "ltr"): boolean {
  return around === "ltr" ? RIGHT_TO_LEFT.test(value) : directionOf(value) !== "rtl" && /\S/.test(value);
}

/**
 * A value for the middle of a sentence. Where its direction is another one than the sentence's, invisible marks (first
 * strong isolate) keep it from moving what stands beside it. Not for links, file names and what is copied.
 */
export function isolated(value: string, around: "ltr" | "rtl" = "ltr"): string {
  // A phone would take the mark behind a link for a part of it.
  if (!turnsAround(value, around) || value.includes("://")) return value;
  return value.replaceAll(/[^\n]+/g, (line) => `\u2068${line}\u2069`);
}
