import type { WebhookCall } from "../webhook.ts";

/** Far more than any provider sends. A call is sorted and hashed before it is known who made it. */
export const MOST_FIELDS = 1000;

/** The form in a call's body; empty if it has more fields than any provider sends. */
export function formIn({ body }: Pick<WebhookCall, "body">): URLSearchParams {
  let fields = 1;
  for (let at = body.indexOf("&"); at !== -1; at = body.indexOf("&", at + 1)) {
    fields += 1;
    if (fields > MOST_FIELDS) return new URLSearchParams();
  }
  return new URLSearchParams(body.toString("utf8"));
}

/** The names of a form in order, each with its values in order. In time that grows with the form, not with its square. */
export function sortedFields(fields: URLSearchParams): [name: string, values: string[]][] {
  const byName = Map.groupBy(fields, ([name]) => name);
  return [...byName.keys()].toSorted().map((name) => [
    name,
    byName
      .get(name)!
      .map(([, value]) => value)
      .toSorted(),
  ]);
}
