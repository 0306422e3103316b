import { useQueryClient } from "@tanstack/react-query";
import { audience, type Reach } from "#contract/calls/audience.ts";
import { detailCondition, type DetailCondition } from "#contract/calls/detail-conditions.ts";
import type { Channel } from "#contract/delivery.ts";
import type { MessageForm } from "#contract/calls/notifications.ts";
import { type RecipientRef, refOf } from "#contract/recipients.ts";
import { withoutTyped } from "#contract/text/message-fields.ts";
import { call } from "#web/api/client.ts";
import { reachability } from "#web/api/reachability.ts";
import { isUnreachable } from "#web/api/unreachable.ts";
import { readKey, useRead } from "#web/api/use-read.ts";
import { usedFields } from "#web/domain/message/fields.ts";
import type { Surroundings } from "#web/domain/message/message-form.tsx";
import { useDebounced } from "#web/ui/browser/use-debounced.ts";

export type Audience = {
  recipients: RecipientRef[];
  channels: Channel[];
  /** The message's fields: a person who lacks one gets nothing. */
  fields: string[];
  /** Each home gets one message. */
  perHome?: true;
  valuesId?: number;
  /** Whom it leaves out. */
  skipIf?: DetailCondition;
};

export type ReachState = {
  /** The audience of the answer that is shown or loading. */
  audience: Audience;
  /** The last answer; it stays while the next is loading. Undefined without recipients. */
  reach: Reach | undefined;
  loading: boolean;
  failed: boolean;
  retry: () => void;
  /**
   * The reply for a form that is about to be sent, or the last one for this audience if a newer one takes too long.
   * Without either, whether the server can be reached at all.
   */
  fresh: (form: MessageForm) => Promise<Reach | "unreachable" | "unknown">;
};

const TYPING_PAUSE = 200;
/** Milliseconds for the last check before sending. */
const LAST_LOOK = 5000;

type WhoAndHow = Pick<MessageForm, "recipients" | "channels" | "ownValues">;

export function audienceOf({ recipients, channels, ownValues }: WhoAndHow) {
  return { recipients: recipients.map(refOf), channels, ...(ownValues && { valuesId: ownValues.id }) };
}

/** The fields for which each person needs a value of their own. A file goes before what is typed. */
function personalFields(form: MessageForm, surroundings: Surroundings): string[] {
  const used = usedFields(form, surroundings);
  const ofFile = used.filter((field) => form.ownValues?.fields.includes(field));
  return [...new Set([...withoutTyped(used, form.fieldValues), ...ofFile])];
}

/** How many people would get this form's message. Fetched each time the form opens, because people come and go. */
export function useReach(values: MessageForm, surroundings: Surroundings): ReachState {
  const client = useQueryClient();
  const whoGets = (form: MessageForm): Audience => ({
    ...audienceOf(form),
    fields: personalFields(form, surroundings),
    ...(form.perHome && { perHome: true }),
    // Not while it is being typed.
    ...(form.skipIf && detailCondition.safeParse(form.skipIf).success && { skipIf: form.skipIf }),
  });
  const now = whoGets(values);
  const asked = useDebounced(now, TYPING_PAUSE);
  const query = useRead(
    audience.reach,
    { body: asked },
    { enabled: asked.recipients.length > 0, fresh: true, keep: true },
  );
  const noRecipients = values.recipients.length === 0;
  return {
    audience: asked,
    reach: noRecipients ? undefined : query.data,
    loading: !noRecipients && (query.isFetching || JSON.stringify(asked) !== JSON.stringify(now)),
    failed: query.isError,
    retry: () => void query.refetch(),
    async fresh(form) {
      const body = whoGets(form);
      const signal = AbortSignal.timeout(LAST_LOOK);
      try {
        const reach = await call(audience.reach, { body }, { signal });
        client.setQueryData(readKey(audience.reach, { body }), reach);
        return reach;
      } catch (error) {
        const away = signal.aborted ? !reachability.get() : isUnreachable(error);
        const last = client.getQueryData<Reach>(readKey(audience.reach, { body }));
        return last ?? (away ? "unreachable" : "unknown");
      }
    },
  };
}
