import type { Content, Sender } from "#server/delivery/content/compile.ts";

/** What both send: a notice with a person's name and unit. */
export const content: Pick<Content, "title" | "content"> = {
  title: "Water will be off on Tuesday, {{first_name}}",
  content:
    "Hello {{first_name}},\n\nthe water in {{property_unit}} will be off on Tuesday from nine to eleven, because " +
    "the riser in the east stairwell is replaced. Please close all taps and switch off machines that take water.\n\n" +
    "Questions: https://maple.example/water or 555-0100.",
};

export const sender: Sender = { siteName: "Maple Court", smsPrefix: "", emailSignature: "", emailFooter: "" };

export const person = (n: number) => ({
  firstName: `Ann${n}`,
  unit: `Maple Court ${n}`,
  address: `person${n}@example.com`,
});

export type Task = { port: number; messages: number; connections: number; databaseUrl: string };
