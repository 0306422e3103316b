import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { NotificationForm } from "#contract/calls/notifications.ts";
import type { Surroundings } from "#web/domain/message/message-form.tsx";
import type { Draft, Drafts } from "#web/features/compose/drafts.ts";
import { isBlank } from "#web/features/compose/compose-form.ts";

type DraftState = "none" | "saved" | "unsaved";

const TYPING_PAUSE = 300;

type Options = {
  form: UseFormReturn<NotificationForm, Surroundings, NotificationForm>;
  drafts: Drafts;
  name: string;
  clientKey: string;
  /** The draft the form started with, if any. */
  found: Draft | undefined;
  /** What the form started with was just typed and is stored nowhere yet. */
  typed: boolean;
};

/**
 * Stores the form while it is being filled in, and once more when the page or dialog closes. Other tabs may have the
 * same draft: each keeps its own text under its own key.
 */
export function useDraftKeeping({ form, drafts, name, clientKey, found, typed }: Options) {
  const [state, setState] = useState<DraftState>(found ? "saved" : "none");
  const [place] = useState(() => drafts.place(name));
  const origin = useRef(found);
  const touched = useRef(typed);
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined);

  const leaveOrigin = () => {
    if (origin.current) drafts.supersede(origin.current);
    origin.current = undefined;
  };
  const forget = () => {
    clearTimeout(pending.current);
    touched.current = false;
    drafts.discard(place);
    leaveOrigin();
    setState("none");
  };
  const keep = (key: string) => {
    clearTimeout(pending.current);
    const values = form.getValues();
    if (isBlank(values)) return forget();
    const kept = drafts.save(place, values, key);
    if (kept) leaveOrigin();
    setState(kept ? "saved" : "unsaved");
  };

  const save = useEffectEvent(() => {
    if (touched.current) keep(clientKey);
  });
  const noteChange = useEffectEvent(() => {
    touched.current = true;
    clearTimeout(pending.current);
    // The first change is stored at once: until then no one knows whether it can be, and closing wouldn't ask.
    if (state === "none") save();
    else pending.current = setTimeout(save, TYPING_PAUSE);
  });
  const noteRemoved = useEffectEvent(({ key, newValue }: StorageEvent) => {
    if (newValue !== null) return;
    // A null key: everything was cleared.
    if (key === place || key === null) save();
    else if (key === origin.current?.place && !touched.current) setState("none");
  });

  useEffect(() => {
    save();
    const unsubscribe = form.subscribe({
      formState: { values: true },
      callback: () => noteChange(),
    });
    addEventListener("pagehide", save);
    addEventListener("storage", noteRemoved);
    return () => {
      save();
      unsubscribe();
      removeEventListener("pagehide", save);
      removeEventListener("storage", noteRemoved);
    };
  }, [form]);

  return {
    state,
    /** Deletes the draft and anything about to be stored for it. */
    discard: forget,
    /** From now on the text is stored under another key. */
    rekey(key: string) {
      touched.current = true;
      keep(key);
    },
  };
}
