import { useEffect, useEffectEvent, useState } from "react";

export type Found<Option> = {
  options: Option[];
  /** The number of matches, which may be more than were returned. */
  total?: number;
};

/** Returns what matches a text, until `signal` aborts. */
export type Search<Option> = (text: string, signal: AbortSignal) => Promise<Found<Option>>;

/** Without case and accents. */
const plain = (text: string) => text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();

/**
 * Names that begin with the text come first, then those with a word that does. The server sorts whole lists in the same way
 * (server/db/like.ts); this is for what the browser itself searches.
 */
export function bestFirst<Option extends { label: string }>(search: Search<Option>): Search<Option> {
  return async (text, signal) => {
    const found = await search(text, signal);
    const fit = ({ label }: Option) => {
      const [name, begun] = [plain(label), plain(text)];
      return name.startsWith(begun) ? 0 : name.includes(` ${begun}`) ? 1 : 2;
    };
    return { ...found, options: found.options.toSorted((one, other) => fit(one) - fit(other)) };
  };
}

const TYPING_PAUSE = 150;

type Answer<Option> = Found<Option> & { busy: boolean; error: string | undefined };
type Asked = { source: string; text: string };
type State<Option> = Answer<Option> & {
  /** The results belong to the current text, not to the previous one. */
  settled: boolean;
};

type Options<Option> = {
  text: string;
  source: string;
  enabled: boolean;
  /** Called with each result. */
  onFound?: (options: Option[]) => void;
};

/** Searches as a person types: only the latest text, after a pause. The last results stay until the next arrive. */
export function useSearch<Option>(
  search: Search<Option>,
  { text, source, enabled, onFound }: Options<Option>,
): State<Option> {
  const [state, setState] = useState<Answer<Option> & Asked>({ ...nothing, source, text: "" });
  const ask = useEffectEvent(search);
  const tell = useEffectEvent((options: Option[]) => onFound?.(options));
  useEffect(() => {
    if (!enabled) return undefined;
    const abort = new AbortController();
    const timer = setTimeout(
      () => {
        setState((last) =>
          last.source === source ? { ...last, busy: true } : { ...nothing, busy: true, source, text },
        );
        ask(text.trim(), abort.signal).then(
          (found) => {
            if (abort.signal.aborted) return;
            setState({ ...found, busy: false, error: undefined, source, text });
            tell(found.options);
          },
          (error: unknown) => {
            if (abort.signal.aborted) return;
            const message = error instanceof Error ? error.message : "The search failed";
            setState({ ...nothing, error: message, source, text });
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
  // A search that was aborted when the list closed never ends its busy state.
  return state.source === source
    ? { ...state, busy: enabled && state.busy, settled: state.text === text && !state.busy }
    : { ...nothing, busy: enabled, settled: false };
}

const nothing = { options: [], busy: false, error: undefined };
