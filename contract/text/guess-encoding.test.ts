import { describe, expect, test } from "vitest";
import { encodings } from "#contract/text/encodings.ts";
import { decode, garbledWords, guessEncoding } from "#contract/text/guess-encoding.ts";

/** Text in a one-byte encoding, found by decoding every byte. */
function encode(text: string, encoding: string): Uint8Array<ArrayBuffer> {
  const decoder = new TextDecoder(encoding);
  const bytes = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(new Uint8Array([byte])), byte] as const),
  );
  return new Uint8Array(
    Array.from(text, (letter) => {
      const byte = bytes.get(letter);
      if (byte === undefined) throw new Error(`${encoding} has no ${letter}`);
      return byte;
    }),
  );
}
const rows = (...names: string[]) =>
  [
    "First Name,Last Name,Email,Unit",
    ...names.map((name, n) => `${name.replace(" ", ",")},p${n}@example.com,${n}`),
    "",
  ].join("\n");

const files: [encoding: string, names: string[]][] = [
  ["windows-1252", ["José Muñoz", "Ann Lee"]],
  ["windows-1252", ["Jürgen Groß", "Björn Müller", "Käthe Schön"]],
  ["windows-1252", ["José Muñoz", "Jürgen Groß", "Zoë François", "João Gonçalves", "Mary O’Hara"]],
  ["windows-1252", ["JOSÉ NÚÑEZ", "JÜRGEN GROSS"]],
  ["windows-1252", ["Åse Sørensen", "Søren Kjær"]],
  ["macintosh", ["José Muñoz", "Jürgen Gonçalves", "João O’Hara"]],
  ["macintosh", ["Zoë Bäcker", "Ann Lee"]],
  ["macintosh", ["JOSÉ NÚÑEZ", "Ana Peña"]],
  ["macintosh", ["François Lefèvre"]],
  ["windows-1250", ["Jiří Dvořák", "Lucie Kučerová", "Tomáš Němec"]],
  ["windows-1250", ["Łukasz Wójcik", "Małgorzata Dąbrowska", "Michał Zając"]],
  ["windows-1250", ["László Szőke", "Ágnes Fűzfa"]],
  ["windows-1251", ["Иван Петров", "Ольга Смирнова"]],
  ["windows-1251", ["Олена Шевченко", "Юрій Їжак"]],
];

describe("the encoding of a file is found", () => {
  test.each(files)("%s: %j", (encoding, names) => {
    const text = rows(...names);
    const bytes = encode(text, encoding);
    expect(decode(bytes)).toEqual({ encoding, text });
    expect(garbledWords(text, 5)).toEqual([]);
  });

  test("Shift-JIS, in Kanji and Kana", () => {
    // 山田 太郎, 鈴木 花子, サトウ
    const bytes = [
      0x8e, 0x52, 0x93, 0x63, 0x2c, 0x91, 0xbe, 0x98, 0x59, 0x0a, 0x83, 0x54, 0x83, 0x67, 0x83, 0x45,
    ];
    const file = new Uint8Array([...encode("name,first\n", "windows-1252"), ...bytes]);
    expect(decode(file)).toEqual({ encoding: "shift_jis", text: "name,first\n山田,太郎\nサトウ" });
  });

  test.each(["utf-16le", "utf-16be"])("%s without a mark", (encoding) => {
    const text = rows("José Muñoz", "Łukasz Wójcik");
    const bytes = new Uint8Array(text.length * 2);
    for (let n = 0; n < text.length; n++) {
      new DataView(bytes.buffer).setUint16(n * 2, text.charCodeAt(n), encoding === "utf-16le");
    }
    expect(decode(bytes)).toEqual({ encoding, text });
  });

  test("a long file whose first names are plain", () => {
    const plain = Array.from({ length: 20_000 }, (_, n) => `Ann Lee${n}`);
    expect(guessEncoding(encode(rows(...plain, "José Muñoz", "Renée Núñez"), "macintosh"))).toBe("macintosh");
  });

  test("a file of one endless word is read, too", () => {
    const bytes = new Uint8Array(300_000).fill(0xb3);
    expect(decode(bytes).text.length).toBe(300_000);
  });
});

describe("letters that no name has", () => {
  test.each([
    ["UTF-8 read as Windows-1252 and saved", "JosÃ© MuÃ±oz"],
    ["Mac Roman read as Windows-1252", "JosŽ"],
    ["replacement characters", "Jos\ufffd"],
    ["Greek read as Cyrillic", "Рбрбдьрпхлпт"],
  ])("%s: %s", (_what, text) => {
    expect(garbledWords(text, 5)).not.toEqual([]);
  });

  test.each([
    "José Muñoz, Jürgen Groß, Łukasz Wójcik, Jiří Dvořák, Nguyễn Văn Đức, Şeyma Yılmaz, Jānis Bērziņš",
    "Иван Петров, Παπαδόπουλος, שלום כהן, محمد الأحمد, 山田太郎, 김철수, สมชาย, O’Hara, D’Ávila, Mary–Ann",
    "Unit 4½, 70 m², N° 5, 1 200 €, “Maple Court”, MacÁvoy, Müller-Lüdenscheidt",
  ])("none in %s", (text) => {
    expect(garbledWords(text, 5)).toEqual([]);
  });
});

test("every encoding that can be chosen is one that this system reads, once", () => {
  const labels = encodings.map(({ label }) => label);
  expect(labels.map((label) => new TextDecoder(label).encoding)).toEqual(labels);
  expect(new Set(labels).size).toBe(labels.length);
  expect(labels.length).toBe(38);
});

test("a chosen encoding is used whatever the bytes look like", () => {
  expect(decode(new Uint8Array([0xd0, 0xaf]), "koi8-r")).toEqual({ text: "п╞", encoding: "koi8-r" });
});
