import * as fc from "fast-check";
import { expect, test } from "vitest";
import { email, line, minKey } from "#contract/fields.ts";
import { visibleEnds, visibleKey, visibleLine } from "#contract/text/visible-text.ts";

const code = (point: number) => `U+${point.toString(16).toUpperCase().padStart(4, "0")}`;
const points = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

/** What phones, chats, web pages, PDFs and office programs put into copied text. */
const unseen = [
  [0x00, 0x07, 0x1f, 0x7f, 0x9f, 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x3164, 0xfeff, 0xffa0],
  points(0x180b, 0x180f),
  points(0x200b, 0x200f),
  points(0x202a, 0x202e),
  points(0x2060, 0x206f),
  points(0xfe00, 0xfe0f),
  points(0xfff9, 0xfffb),
  [0xe0001, 0xe0041, 0xe0100],
]
  .flat()
  .map((point) => [code(point), String.fromCodePoint(point)] as const);

test.each(unseen)("%s is left out, wherever it stands", (_, mark) => {
  const name = line("Name", 100);
  expect(name.parse(`${mark}Maple${mark} Court${mark}`)).toBe("Maple Court");
  expect(name.parse(`${mark} ${mark}`)).toBe("");
  expect(minKey("Username", 3, 64, "short").parse(`a${mark}n${mark}n`)).toBe("ann");
  expect(minKey("Username", 3, 64, "short").safeParse(`an${mark}`).success).toBe(false);
  expect(email("bad").parse(`${mark}ann${mark}@exa${mark}mple.com${mark}`)).toBe("ann@example.com");
  expect(visibleEnds(`${mark}Dear${mark} Ann\n${mark}`)).toBe(`Dear${mark} Ann\n`);
});

test.each(
  [0xa0, 0x1680, ...points(0x2000, 0x200a), 0x202f, 0x205f, 0x3000, 0x2800, 0x85].map((point) => [
    code(point),
    String.fromCodePoint(point),
  ]),
)("%s is a space", (_, space = "") => {
  expect(visibleLine(`${space}Maple${space}${space}Court ${space}`)).toBe("Maple Court");
});

test.each([
  ["Persian", "می\u200cخواهم"],
  ["Hindi", "क्\u200dष"],
  ["Malayalam", "ന്\u200d മ".replace(" ", "")],
  ["a family", "👩\u200d👩\u200d👧"],
  ["a firefighter of a color", "👩🏽\u200d🚒"],
  ["a red heart", "Ann ❤\ufe0f"],
  ["a rainbow flag", "🏳\ufe0f\u200d🌈"],
  ["a keycap", "1\ufe0f\u20e3"],
  ["the flag of Wales", "🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}"],
  ["a variant of a Han character", "葛\u{e0100}城"],
])("%s keeps the marks it is written with", (_, text) => {
  expect(visibleLine(text)).toBe(text);
});

test.each([
  ["Mina\u200d", "Mina"],
  ["Ma\u200dple", "Maple"],
  ["می\u200c", "می"],
  ["ی\u200c\u200cخ", "ی\u200cخ"],
  ["1\ufe0f 5", "1 5"],
  ["e\u200b\u0301", "é"],
  ["a \u200b b", "a b"],
])("%j is %j: a joiner without what it would join is unseen", (text, seen) => {
  expect(visibleLine(text)).toBe(seen);
});

const mark = fc.constantFrom(...unseen.map(([, character]) => character), " ", "\u00a0", "\n");
const written = fc
  .array(fc.oneof(mark, fc.string({ unit: "grapheme", maxLength: 4 })), { maxLength: 12 })
  .map((parts) => parts.join(""));

test("what was cleaned is clean, whatever it was", () => {
  fc.assert(
    fc.property(written, (text) => {
      for (const clean of [visibleLine, visibleKey, visibleEnds])
        expect(clean(clean(text))).toBe(clean(text));
      expect(visibleKey(text)).not.toMatch(/[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u00a0]/);
    }),
  );
});
