import { ATTACHMENTS_TOTAL_MAX, EDIT_ATTACHMENT_MAX, MEGABYTE } from "#contract/calls/attachments.ts";
import { type Channel, channelMeaning } from "#contract/delivery.ts";
import { addressText, reasonSentence } from "#contract/delivery-reasons.ts";
import { AppError, type ErrorCode } from "#contract/errors.ts";
import { type Entry, says } from "#contract/refusals/says.ts";
import { messageSentence, noChannels, noRecipients } from "#contract/calls/notification-fields.ts";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import type { ResidentDate, Rule } from "#contract/recurrence.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { listText, numberText } from "#contract/text/locale.ts";
import { clockText, residentDateTexts, ruleText, zoneText } from "#contract/text/rule-text.ts";
import { counted } from "#contract/text/count-text.ts";
import { isolated } from "#contract/text/isolate.ts";
import { formatTime } from "#contract/text/time-text.ts";

/**
 * What is found about a message that goes out or is to go out: a code with parameters, which is what is stored. Its words
 * are here and nowhere else. A code or a parameter that is stored is never renamed.
 */

type Recipient = Pick<AudienceMember, "type" | "name">;
/** Instants and time zones. */
type Moment = { at: string; zone: string };

/** A message that went out or is planned, and how many people would get it twice. */
type Twice = Moment & { title: string; people: number; notificationId: number };

const label = (field: string) => field.replaceAll("_", " ");

const catalogue = {
  // The text.
  "no-title": says("invalid-input", "Title is required"),
  "no-message": says("invalid-input", messageSentence),
  "no-content": says("invalid-input", "Content is required"),
  "field-not-closed": says<{ name: string }>(
    "invalid-input",
    ({ name }) => `The field “{{${name}” is not closed. Write it as {{name}}.`,
  ),
  "not-a-field": says<{ name: string }>(
    "invalid-input",
    ({ name }) =>
      `“{{${name}}}” is not a field. A field name can have letters, digits and underscores, like {{first_name}}.`,
  ),
  unfilled: says<{ fields: readonly string[] }>(
    "missing-field-values",
    ({ fields }) => `Fill in ${fields.map(label).join(", ")} before sending.`,
    {
      fields: ({ fields }) =>
        Object.fromEntries(fields.map((field) => [`fieldValues.${field}`, `Fill in ${label(field)}`])),
    },
  ),
  "date-not-recurring": says(
    "invalid-input",
    "Only a recurring notification can have a date relative to the run",
  ),

  // Where the text comes from: chosen in this form, or ("its") chosen earlier.
  "nothing-chosen": says("invalid-input", "Choose what to send: a template or a notification"),
  "template-gone": says("invalid-input", "This template no longer exists. Choose another one."),
  "its-template-gone": says("not-found", "Its template no longer exists. Choose another message."),
  "template-archived": says("invalid-input", "This template is archived. Choose another one."),
  "its-template-archived": says<{ name: string }>(
    "not-found",
    ({ name }) => `The template “${isolated(name)}” is archived. Restore it, or choose another message.`,
  ),
  "template-changed": says<{ name: string }>(
    "conflict",
    ({ name }) =>
      `The template “${isolated(name)}” has changed since you chose it. Read the new text, then try again.`,
  ),
  "notification-gone": says("invalid-input", "This notification doesn't exist. Choose another one."),
  "notification-empty": says("invalid-input", "This notification has no message yet. Choose another one."),

  // Recipients.
  "no-recipients": says("invalid-input", noRecipients),
  "all-settled": says<{ people: number }>("empty-audience", ({ people }) =>
    people === 1
      ? "The schedule leaves out the only person now"
      : `The schedule leaves out all ${numberText(people)} people now`,
  ),
  "nobody-chosen": says("empty-audience", noRecipients),
  "recipients-gone": says<{ gone: readonly Recipient[] }>(
    "unknown-recipient",
    ({ gone }) => `${namesOf(gone)} Choose recipients again.`,
  ),
  "no-recipients-left": says<{ gone: readonly Recipient[] }>("empty-audience", ({ gone }) =>
    `${namesOf(gone)} Choose recipients.`.trim(),
  ),
  "runs-without-recipients": says<{ gone: readonly Recipient[] }>(
    "unknown-recipient",
    ({ gone }) => `${namesOf(gone)} Runs go to the other recipients. Check them and save the schedule.`,
  ),
  "homes-merged": says<{ from: string; into: string }>(
    "unknown-recipient",
    ({ from, into }) =>
      `“${isolated(from)}” is part of “${isolated(into)}” now, so this goes to the homes of both. Check the recipients and save it.`,
  ),
  "only-recipient-deleted": says<{ recipient: Recipient; planned: Moment | Rule | null }>(
    "empty-audience",
    ({ recipient, planned }) =>
      deleted(recipient) +
      (planned ? ` It was scheduled for ${plannedText(planned)}.` : "") +
      " Choose recipients and schedule it again.",
  ),
  "paused-without-recipients": says<{ gone: readonly Recipient[] }>(
    "empty-audience",
    ({ gone: [first, ...others] }) =>
      `${first && others.length === 0 ? deleted(first) : namesOf(first ? [first, ...others] : [])} Choose recipients and activate it again.`,
  ),
  "nobody-in": says<{ audience: string }>(
    "empty-audience",
    ({ audience }) => `No one is in ${isolated(audience)} right now.`,
  ),
  "nobodys-date": says<{ residentDate: ResidentDate; date: string }>(
    "empty-audience",
    ({ residentDate, date }) =>
      `Among the recipients, no one's ${residentDateTexts[residentDate].date} is ${dayText(date)}, or they have been written to already.`,
  ),
  "people-deleted": says("empty-audience", "The people you chose have been deleted. Choose recipients."),
  unreachable: says<Unreachable>("empty-audience", ({ audience, channels, examples, more }) => {
    const ways = channels.map((channel) => channelMeaning[channel].spoken).join(" or ");
    const reasons = examples.map(({ name, sentences }) =>
      examples.length === 1 && more === 0 ? sentences.join(" ") : `${isolated(name)}: ${sentences.join(" ")}`,
    );
    const rest = more > 0 ? [`And ${more} more.`] : [];
    const names = examples.map(({ name }) => name);
    // It was sent to people, not to a group.
    const isThem =
      names.join(", ").length === audience.length && names.every((one) => audience.includes(one));
    const theyCant = isThem
      ? `${listText(names.map((one) => isolated(one)))} can't`
      : `No one in ${isolated(audience)} can`;
    return `${theyCant} be reached by ${ways}. ${[...reasons, ...rest].join(" ")}`.trim();
  }),

  // Channels.
  "no-channels": says("invalid-input", noChannels),
  "channel-off": says<{ channel: Channel }>(
    "invalid-input",
    ({ channel }) => `${reasonSentence("channel-off", channel)} Choose another channel.`,
  ),
  "runs-without-channel": says<{ channel: Channel }>(
    "invalid-input",
    ({ channel }) => `${reasonSentence("channel-off", channel)} Runs send nothing on it.`,
  ),
  "channel-lost": says<{ channel: Channel }>("unavailable", ({ channel }) => {
    const { label: name, many } = channelMeaning[channel];
    return `${name} no longer has an account, so ${many} would only be simulated. Connect one, or save the schedule again to run it in the Sandbox.`;
  }),

  // Time. `now` leaves out this year's number.
  "time-passed": says<Moment & { now: string }>(
    "date-in-the-past",
    (moment) => `${whenText(moment)} has already passed. Choose a later time, or send immediately.`,
  ),
  "day-passed": says<Moment & { now: string }>(
    "date-in-the-past",
    (moment) => `${whenText(moment)} has already passed. Choose a later time.`,
  ),
  "already-ran": says(
    "date-in-the-past",
    "It has already run on that day. Choose another date, or run it now.",
  ),
  "ends-before-start": says("invalid-input", "End time must be later than the start time"),
  missed: says(
    "date-in-the-past",
    "It couldn't start on time, and that was more than a day ago. You can still send it now.",
  ),
  "window-missed": says<{ endTime: string | null; zone: string }>(
    "date-in-the-past",
    ({ endTime, zone }) =>
      `It couldn't start ${endTime ? `by ${clockText(endTime)} ${zoneText(zone)}` : "before the day ended"}, so nothing was sent.`,
  ),

  // Files.
  "values-sent": says<Twice>(
    "already-sent",
    ({ title, people, at, zone }) =>
      `${counted(people, "person", "people")} already got this message with the same values, from “${isolated(title)}”, sent ${formatTime(new Date(at), zone)}. Send it again only if they should get it twice.`,
  ),
  "values-planned": says<Twice>(
    "already-sent",
    ({ title, people, at, zone }) =>
      `${counted(people, "person gets", "people get")} this message with the same values from “${isolated(title)}”, planned for ${formatTime(new Date(at), zone)}. Send it as well only if they should get it twice.`,
  ),
  "values-share-address": says<{ names: readonly string[]; channel: Channel; more: number }>(
    "invalid-input",
    ({ names, channel, more }) =>
      `${listText(names.map((name) => isolated(name)))} have the same ${addressText(channel)}, and different values, so only one of them would get theirs.${more > 0 ? ` So have people at ${counted(more, "more address", "more addresses")}.` : ""} Leave one row out, and write to that person separately.`,
  ),
  "values-gone": says(
    "invalid-input",
    "The file with the values no longer exists. Remove it and choose it again.",
  ),
  "values-of-others": says(
    "invalid-input",
    "Everyone in a file gets that file’s values. Choose the same file for the recipients and the values.",
  ),
  "values-repeated": says(
    "invalid-input",
    "A file’s values are for one message. For one that repeats, keep them as details of people.",
  ),
  "file-gone": says("invalid-input", "An attached file no longer exists. Remove it and attach it again."),
  "files-too-large": says(
    "invalid-input",
    `Attachments can be up to ${ATTACHMENTS_TOTAL_MAX / MEGABYTE} MB in total. Remove one or send a link.`,
  ),
  "file-too-large": says<{ name: string }>(
    "invalid-input",
    ({ name }) =>
      `"${isolated(name)}" is larger than ${EDIT_ATTACHMENT_MAX / MEGABYTE} MB. Attach a smaller file, or send a link.`,
  ),

  /** What kept a message from starting and isn't a finding of ours. */
  other: says<{ sentence: string }>("conflict", ({ sentence }) => sentence),
};

type Unreachable = {
  audience: string;
  channels: readonly Channel[];
  /** The first few people, with why each of these channels can't be used. */
  examples: readonly { name: string; sentences: readonly string[] }[];
  /** How many people there are beyond them. */
  more: number;
};

type Catalogue = typeof catalogue;
export type FindingCode = keyof Catalogue;
type ParamsOf<Code extends FindingCode> = Catalogue[Code] extends Entry<infer Params> ? Params : never;
type FindingOf<Code extends FindingCode> = {
  code: Code;
  params: ParamsOf<Code>;
  /** Where it is shown in the form, by the name of the call's field; null: at no field. */
  field: string | null;
  /** Nothing goes out. Otherwise it only warns. */
  blocks: boolean;
};
export type Finding = { [Code in FindingCode]: FindingOf<Code> }[FindingCode];

/** Something is still missing, as in every form that someone is filling in. */
const unfinished: ReadonlySet<FindingCode> = new Set([
  "no-title",
  "no-message",
  "no-content",
  "unfilled",
  "nothing-chosen",
  "no-recipients",
  "no-channels",
]);

/** One that blocks; `warning` makes one that doesn't. */
export function finding<Code extends FindingCode>(
  code: Code,
  field: string | null,
  params: ParamsOf<Code>,
): Finding {
  return { code, params, field, blocks: true } as FindingOf<Code> as Finding;
}

export function warning<Code extends FindingCode>(code: Code, params: ParamsOf<Code>): Finding {
  return { ...finding(code, null, params), blocks: false };
}

const entryOf = ({ code }: Finding) => catalogue[code] as Entry<object>;

const sentenceOf = (one: Finding): string => entryOf(one).sentence(one.params);

/**
 * What would refuse a form that is still being filled in, as a sentence: not what is only missing. Null if there is
 * nothing. `at`: only what is about these fields.
 */
export function problemIn(findings: readonly Finding[], at?: readonly string[]): string | null {
  const [problem] = problemsIn(findings, at);
  return problem ? sentenceOf(problem) : null;
}

/** The same, with every one that blocks. */
export function problemsIn(findings: readonly Finding[], at?: readonly string[]): Finding[] {
  return findings.filter(
    (one) => one.blocks && !unfinished.has(one.code) && (!at || at.includes(one.field ?? "")),
  );
}

/** The findings in words; null if there are none. */
export function sentencesOf(findings: readonly Finding[]): string | null {
  return findings.length > 0 ? findings.map(sentenceOf).join(" ") : null;
}

/** Null if none blocks. */
export function errorCodeOf(findings: readonly Finding[]): ErrorCode | null {
  const first = findings.find(({ blocks }) => blocks);
  return first ? entryOf(first).error : null;
}

/**
 * Findings as a table holds them. `text` is for processes of the build before, which read it alone (decision 0130). Both
 * are null if there are none.
 */
export function storable(findings: readonly Finding[]): { text: string | null; json: string | null } {
  return { text: sentencesOf(findings), json: findings.length > 0 ? JSON.stringify(findings) : null };
}

/**
 * Stored findings in words; `text` is what was stored before findings were, and what an older build stores. It is also
 * used for what a newer build has stored.
 */
export function storedSentences(findings: readonly Finding[] | null, text: string | null): string | null {
  const known = findings?.every(({ code }) => Object.hasOwn(catalogue, code));
  return findings && known ? sentencesOf(findings) : text;
}

/** A refusal that says what was found. */
export class Refusal extends AppError {
  readonly findings: readonly Finding[];

  /** All of them are said, each beside its field. The first one decides about the code. */
  constructor(first: Finding, ...others: readonly Finding[]) {
    const findings = [first, ...others];
    const fields = Object.assign({}, ...findings.map(fieldsOf)) as Record<string, string>;
    super(entryOf(first).error, findings.map(sentenceOf).join(". "), {
      ...(Object.keys(fields).length > 0 && { fields }),
      reason: { code: first.code, params: first.params },
    });
    this.findings = findings;
  }
}

function fieldsOf(one: Finding): Record<string, string> {
  const fields = entryOf(one).fields;
  if (fields) return fields(one.params);
  return one.field === null ? {} : { [one.field]: sentenceOf(one) };
}

/** Throws the first one that blocks. */
export function refuse(findings: readonly Finding[]): void {
  const first = findings.find(({ blocks }) => blocks);
  if (first) throw new Refusal(first);
}

/** What an error says, to be stored. */
export function findingsOf(error: AppError): readonly Finding[] {
  return error instanceof Refusal ? error.findings : [finding("other", null, { sentence: error.message })];
}

/** “The group “Garden” and Mei Tanaka no longer exist. “Harbor View, floor 3” is archived or has no homes anymore.” */
function namesOf(gone: readonly Recipient[]): string {
  const homes = gone.filter(({ type }) => type === "homes").map(({ name }) => `“${isolated(name)}”`);
  const names = gone
    .filter(({ type }) => type !== "homes")
    .map(({ type, name }, index) =>
      type === "group" ? `${index === 0 ? "The" : "the"} group “${isolated(name)}”` : isolated(name),
    );
  const exist = names.length > 1 ? "no longer exist." : "no longer exists.";
  const have =
    homes.length > 1 ? "are archived or have no homes anymore." : "is archived or has no homes anymore.";
  return [
    ...(names.length > 0 ? [`${and(names)} ${exist}`] : []),
    ...(homes.length > 0 ? [`${and(homes)} ${have}`] : []),
  ].join(" ");
}

/** "Garden, Harbor and Mei" */
function and(names: readonly string[]): string {
  const last = names.at(-1) ?? "";
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} and ${last}` : last;
}

function deleted({ type, name }: Recipient): string {
  return `${type === "group" ? `The group “${isolated(name)}”` : isolated(name)}, its only recipient, was deleted.`;
}

const whenText = ({ at, zone, now }: Moment & { now: string }) =>
  formatTime(new Date(at), zone, new Date(now));

const plannedText = (planned: Moment | Rule) =>
  "at" in planned ? formatTime(new Date(planned.at), planned.zone) : ruleText(planned);
