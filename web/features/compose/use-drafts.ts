import { useEffect, useRef, useState } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { NotificationForm } from "#contract/notifications.ts";
import type { RulesContext } from "#web/features/compose/rules.ts";
import type { Drafts } from "#web/features/compose/drafts.ts";
import { isBlank } from "#web/features/compose/form.ts";

export type DraftState = "none" | "saved" | "unsaved";

const TYPING_PAUSE = 300;

type Options = {
  form: UseFormReturn<NotificationForm, RulesContext, NotificationForm>;
  drafts: Drafts;
  name: string;
  clientKey: string;
};

/** Stores the form while it is being filled, and once more at the moment the page or the dialog goes away. */
export function useDraftKeeping({ form, drafts, name, clientKey }: Options) {
  const [state, setState] = useState<DraftState>(() => (drafts.read(name) ? "saved" : "none"));
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined);

  useEffect(() => {
    const save = () => {
      clearTimeout(pending.current);
      pending.current = undefined;
      const values = form.getValues();
      if (isBlank(values)) {
        drafts.discard(name);
        setState("none");
      } else {
        setState(drafts.save(name, values, clientKey) ? "saved" : "unsaved");
      }
    };
    const saveNow = () => {
      if (pending.current !== undefined) save();
    };
    const unsubscribe = form.subscribe({
      formState: { values: true },
      callback() {
        clearTimeout(pending.current);
        pending.current = setTimeout(save, TYPING_PAUSE);
      },
    });
    addEventListener("pagehide", saveNow);
    return () => {
      saveNow();
      unsubscribe();
      removeEventListener("pagehide", saveNow);
    };
  }, [form, drafts, name, clientKey]);

  return {
    state,
    /** Forgets the draft and whatever was about to be stored of it. */
    discard() {
      clearTimeout(pending.current);
      pending.current = undefined;
      drafts.discard(name);
      setState("none");
    },
  };
}
