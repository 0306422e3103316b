import { describe, expect, test } from "vitest";
import type { ValueColumn, ValuesOverview } from "#contract/calls/values.ts";
import {
  columnLetter,
  columnsAtAGlance,
  filledColumns,
  shownColumns,
  withColumn,
} from "#web/domain/message/own-values/check/columns.ts";

const amount: ValueColumn = { field: "amount", as: "amount" };
const home: ValueColumn = { finds: "home" };

/** A file with these columns: a name and a use each. */
function overview(columns: [string, ValueColumn][], over: Partial<ValuesOverview> = {}): ValuesOverview {
  return {
    id: 4,
    name: "Rent.xlsx",
    people: 2,
    fields: ["amount"],
    rows: 2,
    size: 9000,
    createdAt: "2026-11-25T14:00:00.000Z",
    kept: false,
    sheets: [{ name: "December", rows: 2, errors: 0, trouble: null }],
    sheet: 0,
    headerLine: 1,
    top: [],
    headers: columns.map(([header]) => header),
    columns: columns.map(([, column]) => column),
    property: "",
    ready: 2,
    toFix: 0,
    leftOut: 0,
    troubles: [],
    problem: null,
    open: [],
    decisions: {},
    ...over,
  };
}

describe("what columns are for", () => {
  test("a use that another column had moves", () => {
    expect(withColumn([amount, home, null], 2, { ...amount, as: "text" })).toEqual([
      null,
      home,
      { field: "amount", as: "text" },
    ]);
    expect(withColumn([amount, home, null], 2, home)).toEqual([amount, null, home]);
  });

  test("how a column is read changes in place, and a column can be left unused", () => {
    expect(withColumn([amount, home], 0, { ...amount, as: "number" })).toEqual([
      { field: "amount", as: "number" },
      home,
    ]);
    expect(withColumn([amount, home], 1, null)).toEqual([amount, null]);
  });
});

test("letters as spreadsheets have them", () => {
  expect([0, 25, 26, 701, 702].map((place) => columnLetter(place))).toEqual(["A", "Z", "AA", "ZZ", "AAA"]);
});

describe("the columns that are shown", () => {
  test("used ones, wherever they are, and a few others, as in the file", () => {
    const others = Array.from({ length: 10 }, (_, n): [string, ValueColumn] => [`Column ${n}`, null]);
    const wide = overview([...others, ["Rent", amount], ["Unit", home]]);
    expect(shownColumns(wide)).toEqual([0, 1, 2, 10, 11]);
  });

  test("each with something wrong, however many there are", () => {
    const many = overview(
      Array.from({ length: 8 }, (_, n) => [`Column ${n}`, { field: `f${n}`, as: "text" }]),
    );
    expect(shownColumns(many, new Set([2, 6, 7]))).toEqual([0, 1, 2, 6, 7]);
    expect(shownColumns(many, new Set([0, 2, 3, 4, 6, 7]))).toEqual([0, 2, 3, 4, 6, 7]);
  });

  test("all that are used at a glance, those with values first", () => {
    const fields = Array.from({ length: 6 }, (_, n): [string, ValueColumn] => [
      `Column ${n}`,
      { field: `f${n}`, as: "text" },
    ]);
    const many = overview([["Unit", home], ["Notes", null], ...fields]);
    expect(columnsAtAGlance(many)).toEqual([2, 3, 4, 5, 6, 7, 0]);
    expect(
      columnsAtAGlance(
        overview([
          ["Notes", null],
          ["Unit", home],
          ["Rent", amount],
        ]),
      ),
    ).toEqual([2, 1, 0]);
  });

  test("none that has neither a name nor a text", () => {
    const top = [
      { line: 1, cells: ["Unit", "", ""] },
      { line: 2, cells: ["4B", "", "call first"] },
    ];
    expect(
      filledColumns(
        overview(
          [
            ["Unit", home],
            ["", null],
            ["", null],
          ],
          { top },
        ),
      ),
    ).toEqual([0, 2]);
  });
});
