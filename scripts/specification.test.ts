import { describe, expect, test } from "vitest";
import { SpecificationError, readMarks, readRows, specificationPage } from "./specification.ts";

const rows = `What stands before the first section says nothing.

# Part 1, §1 Header
1. The bell rings.
2. It has a dot. (departs: 1 §2 Header)
3. It can be printed (on paper). (not built: the paper)
`;
const departures = "| Section | It says |\n|---|---|\n| 1 §2 Header | A dot |\n";
const file = (text: string) => [{ path: "e2e/bell.spec.ts", text }];
const page = (text: string, of = rows) => specificationPage(of, departures, file(text));

test("a row has its section, its sentence, and what its note says", () => {
  expect(readRows(rows)).toEqual([
    { number: 1, section: "Part 1, §1 Header", text: "The bell rings." },
    { number: 2, section: "Part 1, §1 Header", text: "It has a dot.", departs: "1 §2 Header" },
    { number: 3, section: "Part 1, §1 Header", text: "It can be printed (on paper).", notBuilt: "the paper" },
  ]);
});

describe("a mark belongs", () => {
  const titles = (text: string) =>
    readMarks({ path: "a.test.ts", text }).map(({ row, title }) => [row, title]);

  test("to the test below it, under its describe", () => {
    const text = `describe("the bell", () => {
  // spec 1, 3-5
  // What follows needs a clapper.
  test("rings \\"loud\\"", async () => {});
});`;
    const title = 'the bell › rings "loud"';
    expect(titles(text)).toEqual([1, 3, 4, 5].map((row) => [row, title]));
  });

  test("to the test or step around it, over arguments in several lines", () => {
    const text = `test("a story", async ({
  page,
}) => {
  if (page) {
    // spec 1
    await expect(page);
  }
  await test.step("its end", async () => {
    // spec 2
    await expect(page);
  });
});`;
    expect(titles(text)).toEqual([
      [1, "a story"],
      [2, "a story › its end"],
    ]);
  });

  test("to the table that it stands in", () => {
    const text = `test.each<[string, number]>([
  // spec 1
  ["a", 1],
])("counts %s", () => {});
test.each(["b"])(
  "counts again",
  async () => {
    // spec 2
    expect(1);
  },
);`;
    expect(titles(text)).toEqual([
      [1, "counts %s"],
      [2, "counts again"],
    ]);
  });
});

test("the page names the test of each row, and counts", () => {
  const text = page('// spec 1\ntest("rings | softly", () => {});\n');
  expect(text).toContain("| 1 | The bell rings. | [bell.spec.ts](../e2e/bell.spec.ts): rings \\| softly |");
  expect(text).toContain("| 2 | It has a dot. | [Departs](departures.md), 1 §2 Header |");
  expect(text).toContain("**Not built yet:** the paper");
  expect(text).toMatch(/\| 1 \| Held as written/);
  expect(text).toMatch(/\| 1 \| Differ on purpose and leave nothing to test \|\n\| 1 \| Not built yet \|/);
});

test.each([
  ["a row without a test", "", rows, /No test holds row 1: The bell rings\./],
  ["a mark without a row", '// spec 1, 9\ntest("x", () => {});', rows, /names row 9, which doesn't exist/],
  ["a test of what isn't built", '// spec 1, 3\ntest("x", () => {});', rows, /Row 3 is marked as not built/],
  [
    "a mark outside of tests",
    "// spec 1\nconst x = 1;",
    rows,
    /e2e\/bell\.spec\.ts:1: the mark stands in no test/,
  ],
  ["a mark that isn't readable", '// spec 1 and 2\ntest("x", () => {});', rows, /:1: a mark reads like/],
  [
    "an unknown departure",
    '// spec 1\ntest("x", () => {});',
    rows.replace("1 §2 Header)", "1 §9 Attic)"),
    /Row 2 departs by “1 §9 Attic”/,
  ],
  [
    "one of several",
    '// spec 1\ntest("x", () => {});',
    rows.replace("1 §2 Header)", "1 §2 Header; 1 §9 Attic)"),
    /^Row 2 departs by “1 §9 Attic”/,
  ],
  [
    "a row out of order",
    '// spec 1\ntest("x", () => {});',
    rows.replace("3.", "4."),
    /Row 4 is out of order/,
  ],
])("%s is refused", (_, text, of, message) => {
  expect(() => page(text, of)).toThrow(SpecificationError);
  expect(() => page(text, of)).toThrow(message);
});
