import type { FieldValues } from "./compiled.ts";
import { parseTemplate } from "#contract/text/message-fields.ts";
import { isolated } from "#contract/text/isolate.ts";
import { oneLine } from "./writing.ts";

/**
 * A frozen title as one person reads it in a list. Values not on file are left out: a list cannot refuse, and braces
 * must not show. `title` was compiled before, so it parses.
 */
export function titleFor(title: string, values: FieldValues): string {
  const text = parseTemplate(title).map((piece) =>
    typeof piece === "string"
      ? piece
      : Object.hasOwn(values, piece.field)
        ? isolated(values[piece.field] ?? "")
        : "",
  );
  return oneLine(text.join("")).replaceAll(/ {2,}/g, " ");
}
