import type { Writing } from "./compiled.ts";

/** C0 except tab and line feed, DEL, C1: nothing that a person types and everything that confuses a mail reader. */
// oxlint-disable-next-line no-control-regex -- it looks for control characters
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
// oxlint-disable-next-line no-control-regex -- as above
const NEEDS_CLEANING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ud800-\udfff]/;

/** Text with `\n` line breaks, no other control character except tab, and no unpaired surrogate. */
export function cleanText(text: string): string {
  if (!NEEDS_CLEANING.test(text)) return text;
  return text.toWellFormed().replace(/\r\n?/g, "\n").replace(CONTROLS, "");
}

/** Text on one line: every run of line breaks, tabs and separators becomes one space. For headers and titles. */
export function oneLine(text: string): string {
  return cleanText(text)
    .replace(/[\t\n\u2028\u2029]+/g, " ")
    .trim();
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escaped for text between tags and for quoted attributes. */
export function escapeHtml(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => ENTITIES[character]!) : text;
}

const ISOLATED = /\u2068([^\u2068\u2069]*)\u2069/g;

/** Escaped for text between tags, with the marks of `isolated` as the tag that older mail readers know better. */
export function htmlText(text: string): string {
  return escapeHtml(text).replaceAll(ISOLATED, "<bdi>$1</bdi>");
}

/** A person's value, escaped for that kind of slot. */
export const write: Readonly<Record<Writing, (value: string) => string>> = {
  plain: cleanText,
  line: oneLine,
  html: (value) => htmlText(cleanText(value)).replaceAll("\n", "<br>"),
  "html-line": (value) => escapeHtml(oneLine(value)),
  // An unopened parenthesis would end the address (`mapSlots`).
  href: (value) => encodeURIComponent(oneLine(value)).replaceAll("(", "%28").replaceAll(")", "%29"),
};
