import type { Db } from "#server/db/database.ts";
import { emptyMessage, type Message } from "./message.ts";
import { readSource, type Source } from "./source.ts";

/** A message as a caller writes it. */
type Written = Omit<
  Message,
  | "messageType"
  | "templateId"
  | "subject"
  | "content"
  | "formatted"
  | "class"
  | "perHome"
  | "valuesId"
  | "skipIf"
> & {
  templateId?: string | number | null | undefined;
  /** The version of the template that the person has read. */
  templateVersion?: number | undefined;
  /** Their own words; beside a template, the template as they changed it this once. */
  text: string;
  class?: Message["class"] | undefined;
  /** Of their own words. A template's follow from its type. */
  formatted?: boolean | undefined;
  perHome?: boolean | undefined;
  valuesId?: number | null | undefined;
};

/**
 * The message: a template's current text, or the person's own words. What is `stored` with the same template keeps its
 * subject and formatting, unless the version says that the person has read the template again.
 */
export async function compose(
  db: Db,
  {
    templateId,
    templateVersion,
    text,
    class: urgency,
    formatted = false,
    perHome = false,
    valuesId = null,
    ...written
  }: Written,
  stored: Message | undefined,
): Promise<{ message: Message; source: Source | undefined }> {
  if (templateId === undefined || templateId === null) {
    const message = {
      ...emptyMessage,
      ...written,
      content: text,
      formatted,
      perHome,
      valuesId,
      class: urgency ?? emptyMessage.class,
    };
    return { message, source: undefined };
  }
  const { message, source } = await readSource(db, { templateId });
  const ownText = text.trim() !== "";
  const keeps = ownText && templateVersion === undefined && stored?.templateId === message.templateId;
  return {
    message: {
      ...message,
      ...written,
      ...(ownText && { content: text }),
      perHome,
      valuesId,
      ...(keeps && { subject: stored.subject, formatted: stored.formatted }),
      class: urgency ?? message.class,
    },
    source: { ...source, read: templateVersion } as Source,
  };
}
