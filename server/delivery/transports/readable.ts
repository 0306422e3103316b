import { oneLine } from "#server/delivery/content/writing.ts";

/** A provider's message on one line, truncated, for storing and showing. */
export function readable(text: string): string {
  const line = oneLine(text);
  if (line.length <= 500) return line;
  // An unpaired surrogate would make PostgreSQL reject the whole statement.
  const cut = line.slice(0, 500);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
}
