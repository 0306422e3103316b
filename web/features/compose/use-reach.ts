import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import type { Control } from "react-hook-form";
import { audience } from "#contract/audience.ts";
import type { Reach } from "#contract/audience.ts";
import type { Channel } from "#contract/delivery.ts";
import type { AudienceMember, NotificationForm } from "#contract/notifications.ts";
import { call } from "#web/api/client.ts";
import { readKey } from "#web/api/use-read.ts";
import type { RulesContext } from "#web/features/compose/rules.ts";
import { useDebounced } from "#web/ui/use-debounced.ts";

export type Audience = { recipients: Pick<AudienceMember, "type" | "id">[]; channels: Channel[] };

export type ReachState = {
  /** Who was asked for, as of the answer that is shown or on its way. */
  audience: Audience;
  /** The last answer; it stays while the next is on its way. Undefined without recipients. */
  reach: Reach | undefined;
  loading: boolean;
  failed: boolean;
  retry: () => void;
  /** The answer for a form that is about to be sent; undefined when the server does not give one. */
  fresh: (form: NotificationForm) => Promise<Reach | undefined>;
};

const TYPING_PAUSE = 200;

export function audienceOf({
  recipients,
  channels,
}: Pick<NotificationForm, "recipients" | "channels">): Audience {
  return { recipients: recipients.map(({ type, id }) => ({ type, id })), channels };
}

/** How many people would get it, as the form stands. Asked anew at every opening: people come and go. */
export function useReach(control: Control<NotificationForm, RulesContext, NotificationForm>): ReachState {
  const client = useQueryClient();
  const [recipients, channels] = useWatch({ control, name: ["recipients", "channels"] });
  const now = audienceOf({ recipients, channels });
  const asked = useDebounced(now, TYPING_PAUSE);
  const optionsFor = (who: Audience) => ({
    queryKey: readKey(audience.reach, who),
    queryFn: ({ signal }: { signal: AbortSignal }) => call(audience.reach, { body: who }, { signal }),
  });
  const query = useQuery({
    ...optionsFor(asked),
    enabled: asked.recipients.length > 0,
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const nobody = recipients.length === 0;
  return {
    audience: asked,
    reach: nobody ? undefined : query.data,
    loading: !nobody && (query.isFetching || JSON.stringify(asked) !== JSON.stringify(now)),
    failed: query.isError,
    retry: () => void query.refetch(),
    fresh: (form) =>
      client.fetchQuery({ ...optionsFor(audienceOf(form)), staleTime: 0 }).catch(() => undefined),
  };
}
