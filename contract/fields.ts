import * as z from "zod";
import { emailIn, emailsIn } from "#contract/text/contact-text.ts";
import { numberText } from "#contract/text/locale.ts";
import "#contract/sentences.ts";
import { visibleEnds, visibleKey, visibleLine } from "#contract/text/visible-text.ts";

/** Builders for the fields of forms and calls. Each takes the sentence that a person reads if it is invalid. */

// C0 and C1 control characters, the Unicode separators at which some mail clients break lines, and unpaired surrogates,
// which neither a database nor an email can contain.
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const LINE_CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/u;
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const TEXT_CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ud800-\udfff]/u;

const controlSentence = (label: string) =>
  `${label} contains a control character, which can't be sent. Retype that part.`;
const lengthSentence = (label: string, max: number) =>
  `${label} must be at most ${numberText(max)} characters`;

/** One line of text, as `visibleLine` has it, possibly empty. `label` starts the sentences about length and control characters. */
export function line(label: string, max: number) {
  return z
    .string({ error: `${label} must be text` })
    .overwrite(visibleLine)
    .max(max, lengthSentence(label, max))
    .refine((value) => !LINE_CONTROL.test(value), controlSentence(label));
}

/** One line that must not be empty. `sentence` is also used for a missing key. */
export function requiredLine(label: string, max: number, sentence: string) {
  return z
    .string({ error: sentence })
    .overwrite(visibleLine)
    .min(1, sentence)
    .max(max, lengthSentence(label, max))
    .refine((value) => !LINE_CONTROL.test(value), controlSentence(label));
}

/** Multi-line text, with line breaks normalized to \n and without unseen marks at its ends. `missing` is used for a missing key. */
export function text(label: string, max: number, missing = `${label} must be text`) {
  return z
    .string({ error: ({ input }) => (input === undefined ? missing : `${label} must be text`) })
    .transform((value) => visibleEnds(value.replaceAll(/\r\n?/g, "\n")))
    .pipe(
      z
        .string()
        .max(max, lengthSentence(label, max))
        .refine((value) => !TEXT_CONTROL.test(value), controlSentence(label)),
    );
}

/** Also accepts null, which replies use for "none", and treats it as empty. */
export function orNone(field: z.ZodType<string, string>) {
  return field.nullable().transform((value) => value ?? "");
}

/** One line of at least `min` characters. */
export function minLine(label: string, min: number, max: number, sentence: string) {
  return z
    .string({ error: sentence })
    .overwrite(visibleLine)
    .min(min, sentence)
    .max(max, lengthSentence(label, max))
    .refine((value) => !LINE_CONTROL.test(value), controlSentence(label));
}

/** What identifies someone, such as a username: one line of at least `min` characters, each of which people see. */
export function minKey(label: string, min: number, max: number, sentence: string) {
  return z
    .string({ error: sentence })
    .overwrite(visibleKey)
    .min(min, sentence)
    .max(max, lengthSentence(label, max))
    .refine((value) => !LINE_CONTROL.test(value), controlSentence(label));
}

/** An address can have a name, a link or others around it. What is longer isn't looked at any more. */
const MAX_WRITTEN = 1000;

/** One email address, also as "Ann Lee <ann@example.com>" or "mailto:ann@example.com". */
export function email(sentence: string) {
  return z
    .string({ error: sentence })
    .max(MAX_WRITTEN, { error: sentence, abort: true })
    .overwrite((value) => emailIn(visibleKey(value)) ?? visibleKey(value))
    .max(254, { error: sentence, abort: true })
    .refine((value) => emailIn(value) === value, sentence)
    .refine((value) => !LINE_CONTROL.test(value), sentence);
}

/** Paths and queries are text. Anything but digits stays as it is: `true` is not 1, and "" not 0. */
const fromDigits = (value: unknown) =>
  typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value;

/** A field for email addresses, of which the first counts: "Ann Lee <ann@example.com>", "ann@a.org; ann@b.org". */
export function emails(sentence: string) {
  return z
    .string({ error: sentence })
    .overwrite(visibleKey)
    .max(MAX_WRITTEN, { error: sentence, abort: true })
    .refine((value) => emailsIn(value) !== null && !LINE_CONTROL.test(value), sentence);
}

const idSentence = "An id must be a positive whole number";

/**
 * A positive whole id, as a number or, from a path or a query, as its digits. `sentence` is used if there is none: 0, or
 * nothing between slashes.
 */
export function requiredId(sentence: string) {
  return z.preprocess(
    (value) => (value === "" ? 0 : fromDigits(value)),
    z
      .int({ error: idSentence })
      .min(1, { error: ({ input }) => (input === 0 ? sentence : idSentence) })
      .max(Number.MAX_SAFE_INTEGER, idSentence),
  );
}

export const id = requiredId(idSentence);

export const idParams = z.object({ id });

/** A clock time as HH:mm, 24 hours. */
export const clockTime = z
  .string({ error: "Enter a time like 09:00" })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "Enter a time like 09:00");

/** A calendar day as yyyy-MM-dd. */
export const calendarDay = z.iso.date({ error: "Enter a date like 2026-11-25" });

/** A whole number, from JSON or from a URL. */
export function wholeNumber(min: number, max: number, sentence: string) {
  return z.preprocess(fromDigits, z.int({ error: sentence }).min(min, sentence).max(max, sentence));
}

/** A whole number from 1 to `max`. */
export const count = (max: number, sentence: string) => wholeNumber(1, max, sentence);

/** For pickers: names that begin with `q` come first, then those with a word that does, each in the list's order. */
export const bestFirst = z.stringbool().default(false);

/** Which page of a list, and how many rows it has. */
export const page = {
  page: count(1_000_000, "The page must be a whole number, starting at 1").default(1),
  pageSize: count(100, "Ask for 1 to 100 rows per page").default(25),
};

/** A time in replies: ISO 8601 with zone. */
export const instant = z.iso.datetime({ offset: true });
