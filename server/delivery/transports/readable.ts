import { oneLine } from "#server/delivery/content/writing.ts";

/** What a provider says, on one line and not too long, to be stored and shown. */
export function readable(text: string): string {
  const line = oneLine(text);
  if (line.length <= 500) return line;
  // PostgreSQL refuses half of a character, and with it everything that is written in the same statement.
  const cut = line.slice(0, 500);
  return `${cut.isWellFormed() ? cut : cut.slice(0, -1)}…`;
}
