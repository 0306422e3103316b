import type { FieldValues } from "./compiled.ts";
import { parseTemplate } from "#contract/message-fields.ts";
import { oneLine } from "./writing.ts";

/**
 * A frozen title as one person may read it in a list. What is not known of the person is left out: a list is no
 * place to refuse, and braces are nothing to show. `title` was compiled before, so it parses.
 */
export function titleFor(title: string, values: FieldValues): string {
  const text = parseTemplate(title).map((piece) =>
    typeof piece === "string" ? piece : Object.hasOwn(values, piece.field) ? values[piece.field] : "",
  );
  return oneLine(text.join("")).replaceAll(/ {2,}/g, " ");
}
