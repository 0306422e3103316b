import { useEffect, useEffectEvent, useState } from "react";

export type Found<Option> = {
  options: Option[];
  /** All that fit; there may be more than were sent. */
  total?: number;
};

/** Answers what fits a text; gives up when `signal` says so. */
export type Search<Option> = (text: string, signal: AbortSignal) => Promise<Found<Option>>;

const TYPING_PAUSE = 150;

type State<Option> = Found<Option> & { busy: boolean; error: string | undefined };

/** Searches while a person types: after a pause, the last question only. The last answer stays until the next. */
export function useSearch<Option>(
  search: Search<Option>,
  { text, source, enabled }: { text: string; source: string; enabled: boolean },
): State<Option> {
  const [state, setState] = useState<State<Option> & { source: string }>({ ...nothing, source });
  const ask = useEffectEvent(search);
  useEffect(() => {
    if (!enabled) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(
      () => {
        setState((last) =>
          last.source === source ? { ...last, busy: true } : { ...nothing, busy: true, source },
        );
        ask(text.trim(), abort.signal).then(
          (found) => {
            if (!abort.signal.aborted) setState({ ...found, busy: false, error: undefined, source });
          },
          (error: unknown) => {
            if (abort.signal.aborted) return;
            const message = error instanceof Error ? error.message : "The search failed";
            setState({ ...nothing, error: message, source });
          },
        );
      },
      text === "" ? 0 : TYPING_PAUSE,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, source, enabled]);
  // A search that was given up with the list leaves no answer behind that would end its busy state.
  return state.source === source ? { ...state, busy: enabled && state.busy } : { ...nothing, busy: enabled };
}

const nothing = { options: [], busy: false, error: undefined };
