import { ATTACHMENTS_TOTAL_MAX, EDIT_ATTACHMENT_MAX } from "#contract/calls/attachments.ts";
import { finding, type Finding, warning } from "#contract/findings.ts";
import { recipientKey } from "#contract/recipients.ts";
import { fieldsOf, isAskedField, TemplateError } from "#contract/text/message-fields.ts";
import { detailFields } from "#server/audience/details.ts";
import { channelsTurnedOff } from "#server/audience/person.ts";
import { findHomes } from "#server/audience/homes.ts";
import { existing, holdGroups } from "#server/audience/recipients.ts";
import { readValueFields } from "#server/audience/values.ts";
import { attachmentsById } from "./attachments.ts";
import { connectedAmong } from "./channels.ts";
import { answered, LINK_EXPIRY_FIELD, missingFields, ONE_TIME_LINK_FIELD } from "./fields.ts";
import type { Asked, Rule } from "./gate.ts";
import type { Plan } from "./plan.ts";
import { valuesEachTheirOwn, valuesSentOnce, valuesThere } from "./values-rules.ts";

/**
 * Everything that is asked about a message before it goes out or is planned, in the order in which it is said. A new rule
 * is one more function here, and its words are in contract/findings.ts.
 */
export const rules: readonly Rule[] = [
  addedFiles,
  ruleEnds,
  relativeDates,
  textSource,
  textThere,
  recipientsChosen,
  channelsChosen,
  channelsLost,
  fieldsFilled,
  channelsOff,
  recipientsGone,
  homesMerged,
  timePassed,
  filesThere,
  valuesThere,
  valuesSentOnce,
  valuesEachTheirOwn,
];

const MINUTE_MS = 60_000;
/** A message planned this long ago may be outdated by now, so a person decides. */
const MISSED_MS = 24 * 60 * MINUTE_MS;

const placesOf = ({ places }: Asked) => ({
  title: "title",
  subject: "templateId",
  content: "content",
  ...places,
});

/** The edit dialog's limit is for the files that are added there. */
async function addedFiles({ db, message, stored }: Asked): Promise<Finding[]> {
  const added = stored ? message.attachmentIds.filter((id) => !stored.attachmentIds.includes(id)) : [];
  const large = [...(await attachmentsById(db, added)).values()].find(
    ({ size }) => size > EDIT_ATTACHMENT_MAX,
  );
  return large ? [finding("file-too-large", "attachments", { name: large.name })] : [];
}

function ruleEnds({ plan }: Asked): Finding[] {
  const { endTime, time = "" } = ("rule" in plan && plan.rule) || {};
  return endTime && endTime <= time ? [finding("ends-before-start", "endTime", {})] : [];
}

/** Only a run has a day that a date can be relative to. */
function relativeDates({ plan, relativeDates: [relative] = [] }: Asked): Finding[] {
  if (relative === undefined || ("rule" in plan && plan.rule)) return [];
  return [finding("date-not-recurring", `fieldValues.${relative}`, {})];
}

/** An archived template is for no new message, but what has it already may keep it. */
function textSource({ source, moment, message, stored }: Asked): Finding[] {
  const chosen = moment === "writing";
  if (source?.kind === "none") {
    return [chosen ? finding("nothing-chosen", "templateId", {}) : finding("its-template-gone", null, {})];
  }
  if (source?.kind === "notification") {
    if (!source.exists) return [finding("notification-gone", "notificationId", {})];
    if (message.content.trim() === "") return [finding("notification-empty", "notificationId", {})];
  }
  if (source?.kind !== "template") return [];
  const { template, read } = source;
  if (!template) {
    return [chosen ? finding("template-gone", "templateId", {}) : finding("its-template-gone", null, {})];
  }
  const { name, archived, version } = template;
  if (archived && stored?.templateId !== message.templateId) {
    return [
      chosen
        ? finding("template-archived", "templateId", {})
        : finding("its-template-archived", null, { name }),
    ];
  }
  return read === undefined || read === version ? [] : [finding("template-changed", "templateId", { name })];
}

function textThere(asked: Asked): Finding[] {
  const { message, plan, source } = asked;
  if (plan.kind === "draft") return [];
  const { title, content } = placesOf(asked);
  return [
    ...(message.title.trim() === "" ? [finding("no-title", title, {})] : []),
    // Without its source there is no text, either.
    ...(message.content.trim() === "" && source === undefined ? [finding("no-message", content, {})] : []),
  ];
}

/** Only a draft, and not a paused schedule. */
const mayLack = (plan: Plan) => plan.kind === "draft" && !plan.rule;

function recipientsChosen({ message, plan, moment, gone }: Asked): Finding[] {
  if (message.audience.length > 0 || mayLack(plan)) return [];
  if (gone && (gone.length > 0 || moment !== "writing"))
    return [finding("no-recipients-left", null, { gone })];
  return [finding(moment === "writing" ? "no-recipients" : "nobody-chosen", "recipients", {})];
}

function channelsChosen({ message, plan }: Asked): Finding[] {
  return message.channels.length > 0 || mayLack(plan) ? [] : [finding("no-channels", "channels", {})];
}

/** A channel that lost its account would only be simulated, without anyone noticing. */
async function channelsLost({ db, message, connected }: Asked): Promise<Finding[]> {
  const had = message.channels.filter((channel) => connected?.includes(channel));
  if (had.length === 0) return [];
  const still = await connectedAmong(db, had);
  const lost = had.filter((channel) => !still.includes(channel));
  return lost.map((channel) => finding("channel-lost", null, { channel }));
}

/** Braces that hold no field and fields that no one filled in would reach people as they are. */
async function fieldsFilled(asked: Asked): Promise<Finding[]> {
  const { message, plan } = asked;
  if (plan.kind === "draft") return [];
  const places = placesOf(asked);
  const fields = new Set<string>();
  for (const text of ["title", "subject", "content"] as const) {
    try {
      for (const field of fieldsOf(message[text])) fields.add(field);
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      return [finding(error.code, places[text], { name: error.field })];
    }
  }
  const needed = [...fields].filter((field) => isAskedField(field) && !isFilledLater(field, asked));
  const unanswered = missingFields(needed, answered(message.fieldValues));
  if (unanswered.length === 0) return [];
  const details = await detailFields(asked.db);
  const own = new Set((await readValueFields(asked.db, message.valuesId)).map(({ field }) => field));
  const missing = unanswered.filter((field) => !details.has(field) && !own.has(field));
  return missing.length > 0 ? [finding("unfilled", null, { fields: missing })] : [];
}

/** A worker makes the link when it sends the message. */
const isFilledLater = (field: string, { kind }: Asked) =>
  [ONE_TIME_LINK_FIELD, LINK_EXPIRY_FIELD].includes(field) &&
  (kind === "credentials" || kind === "confirmation");

/**
 * Refused only where it is chosen: what was planned before goes out on its other channels, and each person's record says
 * why it did not go out on this one.
 */
async function channelsOff({ db, message, plan, moment }: Asked): Promise<Finding[]> {
  if (plan.kind === "draft" || (moment !== "writing" && plan.kind !== "rule")) return [];
  const off = (await channelsTurnedOff(db)).filter((channel) => message.channels.includes(channel));
  return off.map((channel) =>
    moment === "writing"
      ? finding("channel-off", "channels", { channel })
      : warning("runs-without-channel", { channel }),
  );
}

/**
 * Deleting a recipient of a draft or of a cancelled notification warns no one, so sending or scheduling it later is
 * refused. A schedule goes to the others and says so. Where a person plans it again, its groups stay until the
 * transaction ends, as they do when it starts.
 */
async function recipientsGone({ db, message, plan, moment, stored, gone }: Asked): Promise<Finding[]> {
  if (plan.kind === "draft") return [];
  if (gone) {
    const others = gone.length > 0 && message.audience.length > 0;
    return others ? [warning("runs-without-recipients", { gone })] : [];
  }
  // What a person is choosing has just been looked up, and what starts by itself goes to whoever is left.
  const earlier = { writing: stored?.audience ?? [], sending: message.audience, unseen: [] }[moment];
  const before = new Set(earlier.map(recipientKey));
  const asked = message.audience.filter((one) => before.has(recipientKey(one)));
  if (asked.length === 0) return [];
  if (moment === "writing") await holdGroups(db, asked);
  const there = await existing(db, asked);
  const missing = asked.filter((one) => !there(one));
  return missing.length > 0 ? [finding("recipients-gone", "recipients", { gone: missing })] : [];
}

/** A merge adds homes that no one has chosen. What starts by itself still reaches those that were. */
async function homesMerged({ db, message, plan }: Asked): Promise<Finding[]> {
  const homes = message.audience.filter(({ type }) => type === "homes");
  if (homes.length === 0 || plan.kind === "draft") return [];
  const found = await findHomes(db, homes);
  return homes.flatMap(({ id, name }, index) => {
    const into = found[index];
    return into && into.id !== id ? [warning("homes-merged", { from: name, into: into.name })] : [];
  });
}

/** The current minute still counts as now. */
function timePassed({ plan, moment, now, zone }: Asked): Finding[] {
  if (plan.kind !== "at") return [];
  const late = now.getTime() - plan.at.getTime();
  if (moment === "unseen") return late > MISSED_MS ? [finding("missed", null, {})] : [];
  const times = { at: plan.at.toISOString(), zone, now: now.toISOString() };
  return late >= MINUTE_MS ? [finding("time-passed", "scheduled_time", times)] : [];
}

async function filesThere({ db, message: { attachmentIds } }: Asked): Promise<Finding[]> {
  const files = await attachmentsById(db, attachmentIds);
  if (files.size < new Set(attachmentIds).size) return [finding("file-gone", "attachments", {})];
  const total = [...files.values()].reduce((sum, { size }) => sum + size, 0);
  return total > ATTACHMENTS_TOTAL_MAX ? [finding("files-too-large", "attachments", {})] : [];
}
