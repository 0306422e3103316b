import * as z from "zod";
import { numberText } from "#contract/text/locale.ts";

/**
 * The error for rules that have no sentence of their own. It names the field and what is valid there. Importing this
 * file sets it for every schema, also in the browser.
 */

const kinds: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
};

const formats: Record<string, string> = {
  datetime: "a time like 2026-11-25T09:00:00Z",
  date: "a date like 2026-11-25",
};

const units: Record<string, string> = { string: " characters", array: " entries" };

function problemOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined
        ? "is missing"
        : `must be ${kinds[issue.expected] ?? "something else"}`;
    case "invalid_value":
      return `must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}`;
    case "too_big":
      return `must ${sized(issue.origin)} at most ${numberText(issue.maximum)}${units[issue.origin] ?? ""}`;
    case "too_small":
      return issue.minimum === 1 && units[issue.origin]
        ? "must not be empty"
        : `must ${sized(issue.origin)} at least ${numberText(issue.minimum)}${units[issue.origin] ?? ""}`;
    case "invalid_format":
      return formats[issue.format] ? `must be ${formats[issue.format]}` : "is not in the right format";
    case "unrecognized_keys":
      return `doesn't accept ${issue.keys
        .slice(0, 5)
        .map((key) => `"${key.slice(0, 64).toWellFormed()}"`)
        .join(" or ")}`;
    default:
      return "is not valid";
  }
}

const sized = (origin: string) => (units[origin] ? "have" : "be");

function plainSentence(issue: z.core.$ZodRawIssue): string {
  // An invalid key of a record has a nested issue with the sentence of the key's schema.
  if (issue.code === "invalid_key" && issue.issues[0]) return issue.issues[0].message;
  const path = issue.path ?? [];
  const named = path.length > 0 ? `"${path.map(String).join(".")}"` : "This";
  // Of several kinds, the first is the usual one, but for the empty text that means none.
  if (issue.code === "invalid_union") {
    const usual = issue.errors.flat().find((one) => one.code !== "invalid_value" || one.values[0] !== "");
    if (usual) return usual.message.replace(/^This\b/, named);
  }
  if (path.length > 0) return `${named} ${problemOf(issue)}`;
  if (issue.code === "invalid_type" && issue.expected === "object") return "Send a JSON object";
  if (issue.code === "invalid_type" && issue.expected === "array") return "Send a JSON list";
  return `${named} ${problemOf(issue)}`;
}

z.config({ customError: plainSentence });
