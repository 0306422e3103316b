import { AppError } from "#contract/errors.ts";
import { access } from "#contract/refusals/access.ts";
import { messages } from "#contract/refusals/messages.ts";
import { people } from "#contract/refusals/people.ts";
import { places } from "#contract/refusals/places.ts";
import { property } from "#contract/refusals/property.ts";
import { providers } from "#contract/refusals/providers.ts";
import { requests } from "#contract/refusals/requests.ts";
import type { Entry } from "#contract/refusals/says.ts";
import { signIn } from "#contract/refusals/sign-in.ts";

/** Everything the server refuses, each with its words, by area. */
export const areas = { access, messages, people, places, property, providers, requests, signIn };

const catalogue = {
  ...access,
  ...messages,
  ...people,
  ...places,
  ...property,
  ...providers,
  ...requests,
  ...signIn,
};

type Catalogue = typeof catalogue;
export type RefusalCode = keyof Catalogue;
type ParamsOf<Code extends RefusalCode> = Catalogue[Code] extends Entry<infer Params> ? Params : never;

/** One that needs no parameters. */
export type PlainCode = {
  [Code in RefusalCode]: object extends ParamsOf<Code> ? Code : never;
}[RefusalCode];

type More = {
  /** Where the sentence stands in the form, if that isn't always the same. */
  field?: string;
  /** Seconds after which a retry makes sense. */
  retryAfter?: number;
  /** For the log. */
  cause?: unknown;
};
type Given<Code extends RefusalCode> =
  object extends ParamsOf<Code>
    ? [params?: ParamsOf<Code>, more?: More]
    : [params: ParamsOf<Code>, more?: More];

/** What the server refuses, by its code and what it is about. */
export function refusal<Code extends RefusalCode>(code: Code, ...[params, more]: Given<Code>): AppError {
  const { error, sentence, field, fields } = catalogue[code] as Entry<object>;
  const given = params ?? {};
  const said = sentence(given);
  const { field: at = field, ...rest } = more ?? {};
  const beside = fields?.(given) ?? (at === undefined ? {} : { [at]: said });
  return new AppError(error, said, {
    ...(Object.keys(beside).length > 0 && { fields: beside }),
    ...rest,
    reason: { code, params: given },
  });
}
