import { isolated } from "#contract/text/isolate.ts";
import type { Channel } from "#contract/delivery.ts";
import { reasonSentence } from "#contract/delivery-reasons.ts";
import { fieldError } from "#contract/errors.ts";
import type { NotificationDetail } from "#contract/calls/notifications.ts";
import { channelsTurnedOff } from "#server/audience/person.ts";
import type { Db } from "#server/db/database.ts";
import { answered, fieldsAt, missingFields, unfilled } from "#server/messages/fields.ts";
import { isAskedField } from "#contract/text/message-fields.ts";
import type { StoredNotification } from "#server/features/notifications/queries.ts";
import { findTemplate, refuseArchived } from "#server/messages/template.ts";

export type Message = Pick<NotificationDetail, "messageType" | "templateId" | "content" | "class"> & {
  fieldValues: Record<string, string>;
  subject: string;
  /** The text comes from an email template, so its bold, links and lists are formatting. */
  formatted: boolean;
};

type WrittenMessage = {
  templateId?: string | number | null | undefined;
  templateVersion?: number | undefined;
  text: string;
  fieldValues: Record<string, string>;
  class?: Message["class"] | undefined;
  /** What is being changed. */
  stored?: Pick<StoredNotification, "template_id" | "subject" | "formatted"> | undefined;
};

/**
 * The message: a template's current text, or the person's own words. A text beside the template is the template as the
 * person changed it this once. A stored notification that already has the template keeps its subject and formatting,
 * and may keep an archived one, unless the version says that the person has read it again. Throws conflict if the
 * template isn't that version.
 */
export async function composeMessage(db: Db, written: WrittenMessage): Promise<Message> {
  const { fieldValues, text, stored } = written;
  if (written.templateId === undefined || written.templateId === null) {
    return {
      messageType: "custom",
      templateId: null,
      subject: "",
      formatted: false,
      content: text,
      fieldValues,
      class: written.class ?? "general",
    };
  }
  const template = await findTemplate(db, written.templateId);
  const had = stored?.template_id === template.id;
  if (!had) refuseArchived(template);
  // Read together with the text, so what is checked is what is stored.
  if (written.templateVersion !== undefined && written.templateVersion !== template.version) {
    const sentence = `The template “${isolated(template.name)}” has changed since you chose it. Read the new text, then try again.`;
    throw fieldError("conflict", "templateId", sentence);
  }
  const ownText = text.trim() !== "";
  const keeps = had && ownText && written.templateVersion === undefined;
  return {
    messageType: "template",
    templateId: template.id,
    subject: keeps ? stored.subject : template.subject,
    formatted: keeps ? stored.formatted : template.type === "Email",
    content: ownText ? text : template.content,
    fieldValues,
    class: written.class ?? template.class,
  };
}

/**
 * Refuses a channel that the settings have turned off. Only where it is chosen: what was planned before goes out on its
 * other channels, and each person's record says why it did not go out on this one.
 */
export async function refuseOffChannels(db: Db, chosen: readonly Channel[]): Promise<void> {
  const off = (await channelsTurnedOff(db)).find((channel) => chosen.includes(channel));
  if (off === undefined) return;
  const sentence = `${reasonSentence("channel-off", off)} Choose another channel.`;
  throw fieldError("invalid-input", "channels", sentence);
}

/** Refuses texts, each beside its field, that have fields which no one filled in, or braces that hold no field. */
export function checkFields(
  texts: readonly (readonly [at: string, text: string])[],
  fieldValues: Readonly<Record<string, string>>,
): void {
  const used = new Set(texts.flatMap(([at, text]) => fieldsAt(at, text)));
  const missing = missingFields([...used].filter(isAskedField), answered(fieldValues));
  if (missing.length > 0) throw unfilled(missing);
}
