import * as fc from "fast-check";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isCompany } from "#contract/text/company.ts";
import { compareNames, fold, sortKey } from "#contract/text/fold.ts";
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

// Letters that Unicode has since 2018; some servers' ICU is older. No names are written in them, except Georgian ones in capitals.
const RECENT = /[\u1c80-\u1cbf\u2c2f\ua7b8-\ua7ff]/;

test("every character is the same in both", async () => {
  const characters = Array.from({ length: 0xffff }, (_, place) => String.fromCodePoint(place + 1)).filter(
    (character) => /[^\p{Cn}\p{Cs}\p{Co}]/u.test(character) && !RECENT.test(character),
  );
  expect(await inDatabase(characters)).toEqual(here(characters));
});

test("so is any text, and folding it twice changes nothing", async () => {
  const letter = fc.constantFrom(
    ...Array.from("Oo'’`´-–— ab7019ßẞøÆŁıİiIΣςσéÉ\u0301\u0308\u200d\u00a0ＡÅ각한ע״אً١ﬁ½ǅ\t\n\\%_"),
  );
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
  ["Garcia-Lopez", "García–López", "garcía‑lópez", "GARCIA LOPEZ", "Garcia \u2212 Lopez "],
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
  const sorted = [
    "Abel",
    "Éluard",
    "eluard b",
    "Foster",
    "Łoś",
    "Moss",
    "Östberg",
    "Unit 2",
    "Unit 2a",
    "Unit 10",
    "unit 100",
    "Zander",
  ];
  expect(sorted.toReversed().toSorted(compareNames)).toEqual(sorted);
});

test("both know the same companies", async () => {
  const forms =
    "inc inc. incorporated llc l.l.c. l.lc llp l.l.p. lllp pllc p.l.l.c. plc corp corp. corporation ltd ltd. limited ltda ltda. lda pty pvt gmbh mbh gbr ohg e.v. e.k. sro s.r.o. spa s.p.a. srl s.r.l. sarl s.a.r.l. s.a. s.a.s. s.l. s.l.u. s.c. eurl b.v. n.v. a/s aps oyj a.s. d.o.o. o.o. z_o.o. z_oo z_o._o. kft kft. zrt k.k. co. p.c. p.a. l.p. trust AG KG UG Co._KG SE_&_Co._KG BV NV LP"
      .split(" ")
      .map((form) => form.replaceAll("_", " "));
  const words = fc.constantFrom(
    ...forms,
    ..."Ann Example, Holdings, LLC Inc, GmbH. S.A ag Co Sa oo o".split(" "),
  );
  const names = [
    "Dr. Ann M. Trust",
    "MARIA LP",
    "SIEMENS AG",
    "Mary Ann Trust",
    "MARY ANN TRUST",
    "Maple Land Trust",
    "MARIA A. LP",
    "ABC Trust",
    "Moyo, Trust",
    "x Trust",
    "Éva Trust",
    ...forms.flatMap((form) => [`Ann ${form}`, `Ann,${form.toUpperCase()} `, form]),
    ...fc.sample(
      fc.array(words, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(" ")),
      500,
    ),
  ];
  const { rows } = await sql<{ company: boolean }>`SELECT is_company_name(name) AS company
    FROM unnest(${names}::text[]) WITH ORDINALITY t (name, place) ORDER BY place`.execute(database.db);
  expect(rows.map(({ company }) => company)).toEqual(names.map(isCompany));
});
