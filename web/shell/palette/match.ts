import { fold } from "#contract/text/fold.ts";

/** The words of a search, folded. */
function wordsOf(search: string): string[] {
  return search.split(/\s+/).map(fold).filter(Boolean);
}

/** The rank of a text for a search, 0 being best: it starts with it, a word does, it is somewhere. Undefined: no match. */
function rankOf(text: string, search: string): number | undefined {
  const words = wordsOf(search);
  const lower = fold(text);
  if (!words.every((word) => lower.includes(word))) return undefined;
  if (lower.startsWith(words.join(" "))) return 0;
  return words.every((word) => startsWord(lower, word)) ? 1 : 2;
}

/** Those that match, best first, otherwise in their order. Without a search, all of them. */
export function bestMatches<Item>(
  items: readonly Item[],
  search: string,
  textOf: (item: Item) => string,
): Item[] {
  return items
    .flatMap((item) => {
      const rank = rankOf(textOf(item), search);
      return rank === undefined ? [] : [{ item, rank }];
    })
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}

/** A text in parts, for highlighting what was searched for. */
export function markedParts(text: string, search: string): { text: string; marked: boolean }[] {
  const words = wordsOf(search).toSorted((one, other) => other.length - one.length);
  if (words.length === 0) return [{ text, marked: false }];
  const escaped = words.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return text
    .split(new RegExp(`(${escaped.join("|")})`, "gi"))
    .map((part, index) => ({ text: part, marked: index % 2 === 1 }))
    .filter((part) => part.text !== "");
}

function startsWord(text: string, word: string): boolean {
  const at = text.indexOf(word);
  return at === 0 || text.includes(` ${word}`);
}
