import type { ErrorCode } from "#contract/errors.ts";

/** An entry of a catalogue of sentences. It has a key, which says what happened, and is the only place with its words. */
export type Entry<Params> = {
  /** What it is as an error. */
  error: ErrorCode;
  sentence: (params: Params) => string;
  /** The field that shows the sentence, unless the refusal names another one. */
  field?: string;
  /** The sentences beside fields, if they aren't the whole one. */
  fields?: (params: Params) => Record<string, string>;
};

export const says = <Params = object>(
  error: ErrorCode,
  sentence: string | ((params: Params) => string),
  more: Pick<Entry<Params>, "field" | "fields"> = {},
): Entry<Params> => ({ error, sentence: typeof sentence === "string" ? () => sentence : sentence, ...more });
