import type { MessageForm } from "#contract/calls/notifications.ts";
import { audience, type Preview } from "#contract/calls/audience.ts";
import type { Channel } from "#contract/delivery.ts";
import type { BodyIn } from "#contract/endpoint.ts";
import { useRead } from "#web/api/use-read.ts";
import type { Surroundings } from "#web/domain/message/message-form.tsx";
import { audienceOf } from "#web/domain/message/use-reach.ts";
import { useDebounced } from "#web/ui/browser/use-debounced.ts";

const TYPING_PAUSE = 400;

export type PreviewState = {
  /** There is a message to show. */
  written: boolean;
  preview: Preview | undefined;
  loading: boolean;
  failed: boolean;
  retry: () => void;
};

type Options = {
  /** The first person of the audience if omitted. */
  userId?: number | undefined;
  /** The form's own if omitted. */
  channels?: Channel[];
};

/** The message as it is written now. */
export function draftOf(form: MessageForm, { ownText }: Pick<Surroundings, "ownText">) {
  const byTemplate = form.messageType === "template";
  const own = byTemplate && ownText && form.ownTemplate;
  return {
    ...audienceOf(form),
    title: form.title,
    message: byTemplate && !ownText ? "" : form.customMessage,
    ...(!byTemplate && form.formatted && { subject: form.title, formatted: true }),
    ...(own && { subject: own.subject, formatted: own.formatted }),
    ...(byTemplate && !ownText && form.templateId !== "" ? { templateId: Number(form.templateId) } : {}),
    fieldValues: form.fieldValues,
    attachments: form.attachments.map(({ name, size }) => ({ name, size })),
  };
}

/** The message as one person would get it. */
export function usePreview(
  form: MessageForm,
  surroundings: Pick<Surroundings, "ownText">,
  { userId, channels }: Options = {},
): PreviewState {
  return usePreviewOf({
    ...draftOf(form, surroundings),
    ...(channels ? { channels } : {}),
    ...(userId === undefined ? {} : { userId }),
  });
}

/** A preview of any text, debounced. */
export function usePreviewOf(draft: BodyIn<typeof audience.preview> & { message: string }): PreviewState {
  const body = useDebounced(draft, TYPING_PAUSE);
  const written = body.message.trim() !== "" || body.templateId !== undefined;
  const query = useRead(audience.preview, { body }, { enabled: written, fresh: true, keep: true });
  return {
    written,
    preview: written ? query.data : undefined,
    loading: query.isFetching,
    failed: query.isError,
    retry: () => void query.refetch(),
  };
}
