import type { api } from "#contract/api.ts";
import type { Preview } from "#contract/calls/audience.ts";
import { writtenAs } from "#contract/delivery.ts";
import { type Finding, finding, problemIn, problemsIn, Refusal } from "#contract/findings.ts";
import { zoned } from "#contract/recurrence.ts";
import { writtenDate } from "#contract/text/relative-date.ts";
import { plainSms } from "#contract/text/plain-sms.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import type { Db } from "#server/db/database.ts";
import { readDetails } from "#server/audience/details.ts";
import { givenFields, readValueFields } from "#server/audience/values.ts";
import { compile } from "#server/delivery/content/compile.ts";
import {
  type CompiledContent,
  type FieldValues,
  type LinksFor,
  neededIn,
} from "#server/delivery/content/compiled.ts";
import type { Organization } from "#server/delivery/runs/start-run.ts";
import { check } from "#server/messages/gate.ts";
import type { Message } from "#server/messages/message.ts";
import { readSource } from "#server/messages/source.ts";
import { ownReason } from "#server/delivery/content/reason.ts";
import { renderEmail, renderPush, renderSms } from "#server/delivery/content/render.ts";
import { type SmsParts, smsParts } from "#server/delivery/content/sms.ts";
import {
  costliestPeople,
  previewPerson,
  type PreviewPerson,
} from "#server/features/audience/preview-people.ts";

type Draft = BodyOf<typeof api.audience.preview>;

type PreviewSettings = Organization & { linksFor: LinksFor; now: Date };

const empty: Preview = {
  person: null,
  email: null,
  sms: null,
  push: null,
  missingFields: [],
  problem: null,
};

// A placeholder for what is not filled in yet. Brackets keep it from being read as the text itself.
const gap = (field: string) => `[${field.replaceAll("_", " ")}]`;

/** The unfinished message as one person would get it. What is not filled in yet shows as [its name]. */
export async function previewMessage(
  db: Db,
  draft: Draft,
  { linksFor, ...settings }: PreviewSettings,
): Promise<Preview> {
  const { sender } = settings;
  const { message, found, missing, compiled, filled } = await compileDraft(db, draft, settings, {
    key: "preview",
  });
  const problem = problemIn(found);
  if (!compiled) return { ...empty, problem };
  const person = await previewPerson(db, neededIn(compiled), draft.recipients, draft.userId);
  const values = { ...(person && ownReason(person)), ...filled(person?.values ?? {}) };
  const readings = new Set(draft.channels.map(writtenAs));
  return {
    person: person && { userId: person.userId, name: person.name },
    email: readings.has("email") ? renderEmail(compiled, values, { ...linksFor(""), site: "" }) : null,
    sms: readings.has("sms")
      ? await previewSms(db, draft, {
          compiled,
          text: message.content,
          prefix: sender.smsPrefix,
          person,
          filled,
        })
      : null,
    push: readings.has("push") ? renderPush(compiled, values) : null,
    missingFields: missing,
    problem,
  };
}

type Compiled = {
  message: Message;
  /** What is wrong with the text itself. */
  found: Finding[];
  /** Fields that no one has filled yet. */
  missing: string[];
  /** Undefined if braces hold no field. */
  compiled: CompiledContent | undefined;
  /** A person's values, with [its name] for each that is missing. */
  filled: (values: FieldValues) => FieldValues;
};

/** The unfinished message, compiled like a run's. `mark` begins its title and subject. */
export async function compileDraft(
  db: Db,
  draft: Draft,
  { sender, timeZone, now }: Omit<PreviewSettings, "linksFor">,
  { key, mark = "", attachmentIds = [] }: { key: string; mark?: string; attachmentIds?: number[] },
): Promise<Compiled> {
  const { message: template, source } = await readSource(db, { templateId: draft.templateId });
  const byTemplate = source.kind === "template";
  if (byTemplate && !source.template) throw new Refusal(finding("template-gone", "templateId", {}));
  const message: Message = {
    ...template,
    title: draft.title,
    subject: byTemplate ? template.subject : draft.subject,
    content: byTemplate && draft.message.trim() === "" ? template.content : draft.message,
    formatted: draft.formatted || template.formatted,
    fieldValues: draft.fieldValues,
    channels: draft.channels,
    attachmentIds,
    valuesId: draft.valuesId,
  };
  const all = await check(db, message, { kind: "now" }, { zone: timeZone, now, moment: "writing" });
  const found = problemsIn(all, ["title", "templateId", "content", "attachments"]);
  const given = givenFields(draft.recipients);
  const unfilled = all.flatMap((one) => (one.code === "unfilled" ? one.params.fields : []));
  const missing = unfilled.filter((field) => !given.some((one) => one.field === field));
  const unreadable = all.some(({ code }) => code === "not-a-field" || code === "field-not-closed");
  const title = draft.title.trim() === "" ? "(no title yet)" : draft.title;
  const compiled = unreadable
    ? undefined
    : compile(
        {
          ...message,
          title: mark + title,
          subject: message.subject && mark + message.subject,
          answers: {
            ...draft.fieldValues,
            ...Object.fromEntries(missing.map((field) => [field, gap(field)])),
          },
          details: await readDetails(db),
          values: [...given, ...(await readValueFields(db, draft.valuesId))],
          attachments: draft.attachments,
        },
        sender,
        { key, today: writtenDate(zoned(timeZone, now).toPlainDate()) },
      );
  const fields = compiled ? neededIn(compiled).map((one) => (typeof one === "string" ? one : one.field)) : [];
  const filled = (values: FieldValues): FieldValues => ({
    ...Object.fromEntries(fields.map((field) => [field, gap(field)])),
    ...(fields.includes("property_name") && { property_name: sender.siteName }),
    ...values,
  });
  return { message, found, missing, compiled, filled };
}

async function previewSms(
  db: Db,
  draft: Draft,
  { compiled, text, prefix, person, filled }: SmsPreviewed,
): Promise<NonNullable<Preview["sms"]>> {
  const own = renderSms(compiled, filled(person?.values ?? {})).text;
  const people = await costliestPeople(db, neededIn(compiled), draft.recipients);
  const ownParts = smsParts(own);
  let worst = { parts: ownParts, person };
  for (const other of people) {
    const parts = smsParts(renderSms(compiled, filled(other.values)).text);
    if (
      parts.parts > worst.parts.parts ||
      (parts.parts === worst.parts.parts && parts.length > worst.parts.length)
    )
      worst = { parts, person: other };
  }
  const plainParts = smsParts(plainSms(own)).parts;
  return {
    text: own,
    parts: asReply(ownParts),
    worst: asReply(worst.parts),
    costlyFrom: originOf(
      worst.parts.costlyCharacter,
      text,
      { ...draft.fieldValues, message_prefix: prefix },
      worst.person,
    ),
    plainParts: plainParts < ownParts.parts ? plainParts : null,
  };
}

type SmsPreviewed = {
  compiled: CompiledContent;
  /** As written, before anything is filled in. */
  text: string;
  /** What the settings put before it. */
  prefix: string;
  person: PreviewPerson | null;
  filled: (values: FieldValues) => FieldValues;
};

/** The field that brought a letter into the text; null if the text itself contains it, or none does. */
function originOf(
  letter: string | undefined,
  text: string,
  answers: FieldValues,
  person: PreviewPerson | null,
): NonNullable<Preview["sms"]>["costlyFrom"] {
  if (letter === undefined || text.includes(letter)) return null;
  const bringing = (values: FieldValues) =>
    Object.keys(values).find((field) => values[field]?.includes(letter));
  const answer = bringing(answers);
  if (answer !== undefined) return { field: answer, person: null };
  const own = person && bringing(person.values);
  return person && own ? { field: own, person: person.name } : null;
}

const asReply = ({ parts, encoding, length, costlyCharacter }: SmsParts) => ({
  parts,
  encoding,
  length,
  costlyCharacter: costlyCharacter ?? null,
});
