/** The same correction of another cell: what was put in front, added, or replaced. Null if it doesn't fit there. */
export function sameFix(before: string, after: string, other: string): string | null {
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < least - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const removed = before.slice(start, before.length - end);
  const added = after.slice(start, after.length - end);
  if (removed === "" && added === "") return null;
  if (removed === "" && start === 0) return added + other;
  if (removed === "" && end === 0) return other + added;
  // Another text in its place says nothing about cells with a different one.
  if (removed === before) return other === before ? after : null;
  const parts = removed === "" ? [] : other.split(removed);
  return parts.length === 2 ? parts.join(added) : null;
}
