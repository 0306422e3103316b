import { expect, test } from "vitest";
import { contactsIn, emailIn, emailsIn } from "#contract/text/contact-text.ts";
import { emails } from "#contract/fields.ts";

test.each([
  ["ann@example.com.", "ann@example.com"],
  ["Ann Lee <ann@example.com>", "ann@example.com"],
  ["< 'ann@example.com' >", "ann@example.com"],
  ["mailto:ann@example.com?subject=Hi", "ann@example.com"],
  ["ann@example.com <bob@example.com>", null],
  ["<ann@example.com> <bob@example.com>", null],
])("the address in %j is %j", (text, address) => {
  expect(emailIn(text)).toBe(address);
});

test.each([
  "ann@example.com/bob@example.com",
  "ann@example.com. bob@example.com.",
  "ann@example.com&bob@example.com",
  "ann@example.com - bob@example.com",
  "ann@example.com + bob@example.com",
])("%j is two addresses", (text) => {
  expect(emailsIn(text)).toEqual({
    email: "ann@example.com",
    others: [{ label: "", text: "bob@example.com" }],
  });
});

test("a slash in an address parts nothing", () => {
  expect(emailsIn("a/b@example.com")).toEqual({ email: "a/b@example.com", others: [] });
});

test.each([
  "m.1990@example.com",
  "o1@example.com",
  "m+1@example.com",
  "home.5@example.com",
  "cell-5ann@example.com",
])("a word for a number or address stays a part of %j", (email) => {
  expect(emailsIn(email)).toEqual({ email, others: [] });
  expect(contactsIn(`Home ${email}`)).toEqual([{ label: "Home", text: email }]);
});

test.each([
  ["Cell312-555-0100", "Cell", "312-555-0100"],
  ["CELL312 555 0100", "CELL", "312 555 0100"],
  ["cell(312) 555-0100", "cell", "(312) 555-0100"],
  ["Cell1-312-555-0100", "Cell", "1-312-555-0100"],
  ["Mob+447911123456", "Mob", "+447911123456"],
  ["Tel.:030 1234567", "Tel", "030 1234567"],
  ["M:07911 123456", "M", "07911 123456"],
  ["Mobil0171 1234567", "Mobil", "0171 1234567"],
  ["Call Cell312-555-0100", "Call Cell", "312-555-0100"],
  ["Cell2 312-555-0100", "", "312-555-0100"],
  ["Apt5 312-555-0100", "", "312-555-0100"],
  // What touches an unknown word stays with it, and no number is read.
  ["Unit312-555-0100", "", "Unit312-555-0100"],
  ["Sam312 555 0100", "", "Sam312 555 0100"],
])("the number in %j is labelled %j and keeps its area code", (text, label, number) => {
  expect(contactsIn(text)).toEqual([{ label, text: number }]);
});

test("two labels that touch their numbers part them", () => {
  expect(contactsIn("Home312-555-0100 Cell312-555-0199")).toEqual([
    { label: "Home", text: "312-555-0100" },
    { label: "Cell", text: "312-555-0199" },
  ]);
});

/**
 * The processor's time for each of some texts, in microseconds: the least of several tries in turn, which is the work,
 * whatever else the machine does.
 */
function costs(texts: string[], work: (text: string) => void): number[] {
  const spent = () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  };
  const least = texts.map(() => Infinity);
  for (let tries = 0; tries < 7; tries++) {
    for (const [n, text] of texts.entries()) {
      const [before, times] = [spent(), Math.ceil(20_000 / text.length)];
      for (let time = 0; time < times; time++) work(text);
      least[n] = Math.min(least[n] ?? Infinity, (spent() - before) / times);
    }
  }
  return least;
}

test.each([
  "312-555-0100/415-555-0199",
  "312-555-0100 - 415-555-0199",
  "312 555 0100  415 555 0199",
  "(312)555-0100 / (415)555-0199",
  "312-555-0100 (c) 415-555-0199 (h)",
  "(c) 312-555-0100 (h) 415-555-0199",
])("%s are two numbers", (cell) => {
  expect(contactsIn(cell).map(({ text }) => text.replaceAll(/\D/g, ""))).toEqual([
    "3125550100",
    "4155550199",
  ]);
});

test.each(["0211/1234567", "030/1234567", "312-555-0100"])("%s is one number", (cell) => {
  expect(contactsIn(cell)).toEqual([{ label: "", text: cell }]);
});

// For nine times the text, linear work is up to nine times as much, and quadratic work eighty times.
test.each([
  ["tabs in brackets", "<", "\t", "x"],
  ["quotes", "x", '"', "x"],
  ["words between digits", "1 ", "a ", "1"],
  ["joining words", "1 ", "or or ", "1"],
  ["digits and spaces", "", "1 ", "x"],
  ["letters and spaces", "", "a \t", "\u2028"],
  ["spaces after a label", "a:", "\t", "x\u2028"],
  ["dashes after a word", "a", " -", "x"],
  ["addresses without an end", "", "a@@@a ", "x"],
  ["numbers without an end", "", "1234567 ", "x"],
])("%s take as long as they are", (_, start, middle, end) => {
  const text = (length: number) => start + middle.repeat(length / middle.length) + end;
  const [short = 0, long = 0] = costs([text(108), text(972)], (one) => {
    emailIn(one);
    emailsIn(one);
  });
  expect(long / short).toBeLessThan(30);
});

test("what is longer than any field isn't read, nor a number that stands at its end", () => {
  expect(emailIn(`${" ".repeat(1000)}ann@example.com`)).toBeNull();
  expect(contactsIn(`312-555-0100; ${"x".repeat(975)}; 312-555-0199; 415-555-0123`)).toEqual([
    { label: "", text: "312-555-0100" },
    { label: "", text: "x".repeat(975) },
  ]);
  expect(contactsIn("a ".repeat(1000))).toEqual([]);
  expect(emails("Enter an address").safeParse("a ".repeat(1000)).error?.issues).toHaveLength(1);
});
