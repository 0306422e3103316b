import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { DetailField } from "#server/audience/details.ts";
import { compile } from "./compile.ts";
import { neededIn } from "./compiled.ts";
import { renderSms } from "./render.ts";

const sender = { siteName: "Maple Court", smsPrefix: "", emailSignature: "", emailFooter: "" };
const details: DetailField[] = ["balance", "storage", "meter_2"].map((field, id) => ({
  id,
  field,
  kind: "text",
}));
const fields = [...details.map(({ field }) => field), "first_name"];

// Values that say something beside letters: braces, markup, and marks of other scripts have their own tests.
const word = fc.stringMatching(/^[A-Za-z0-9$€.,:=+'"<&-]{1,30}$/);
const piece = fc.oneof(
  fc.stringMatching(/^[a-z ,]{0,12}$/),
  fc.constantFrom(...fields).map((field) => ({ field })),
);

test("the text that arrives is a plain substitution of what each person has", () => {
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }),
      fc.record(Object.fromEntries(fields.map((field) => [field, word]))),
      fc.option(word),
      (pieces, values, typed) => {
        const written = pieces.map((one) => (typeof one === "string" ? one : `{{${one.field}}}`)).join("");
        const text = `A${written}Z`;
        // What the sender typed for everyone goes first.
        const answers: Record<string, string> = typed === null ? {} : { balance: typed };
        const message = { title: "T", subject: "", content: text, answers, details, attachments: [] };
        const compiled = compile({ ...message, channels: ["sms"] }, sender, { key: "k", today: "today" });
        const expected = text.replaceAll(/\{\{(\w+)\}\}/g, (_, field: string) =>
          field === "balance" && typed !== null ? typed : values[field]!,
        );
        // Nothing but marks that turn a line around may differ, and there are none here.
        expect(renderSms(compiled, values).text.replaceAll(/[\u2066-\u2069]/g, "")).toBe(expected);
        const asked = neededIn(compiled).map((one) => (typeof one === "string" ? one : one.field));
        const used = pieces.flatMap((one) => (typeof one === "string" ? [] : one.field));
        expect(new Set(asked)).toEqual(
          new Set(used.filter((field) => typed === null || field !== "balance")),
        );
      },
    ),
  );
});
