import { compile, type Content, type Sender } from "#server/delivery/content/compile.ts";

/** What everyone sends: a notice with a person's name and unit. */
export const content: Pick<Content, "title" | "content"> = {
  title: "Water will be off on Tuesday, {{first_name}}",
  content:
    "Hello {{first_name}},\n\nthe water in {{property_unit}} will be off on Tuesday from nine to eleven, because " +
    "the riser in the east stairwell is replaced. Please close all taps and switch off machines that take water.\n\n" +
    "Questions: https://maple.example/water or 555-0100.",
};

/** The same with the values that a file has for each person. */
export const slots = {
  content: content.content.replace("on Tuesday from nine to eleven", "on {{due_date}} at {{slot}}"),
  /** As `POST /api/values` reads it, for people 1 to `people`. */
  fileFor: (people: number) =>
    [
      "Username,Due date,Slot",
      ...Array.from({ length: people }, (_, n) => `${person(n + 1).username},Tuesday,${n % 12}:${n % 60}`),
    ].join("\r\n"),
};

export const sender: Sender = { siteName: "Maple Court", smsPrefix: "", emailSignature: "", emailFooter: "" };

/** The notice as others than Porchlight send it. */
export const compiledEmail = compile(
  { ...content, subject: "", answers: {}, channels: ["email"], attachments: [] },
  sender,
  { key: "bench", today: "" },
);

/** Person `n`, counted from 1, as a row of an import. Everyone has an address of their own on every channel. */
export const person = (n: number) => ({
  username: `person.${n}`,
  email: `person.${n}@example.com`,
  firstName: `Ann${n}`,
  lastName: "Lee",
  phone: `(415) ${200 + Math.floor(n / 10_000)}-${String(n % 10_000).padStart(4, "0")}`,
  role: "tenant",
  propertyUnit: `Maple Court, Unit ${n}`,
});
