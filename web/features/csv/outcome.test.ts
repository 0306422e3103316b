import { expect, test } from "vitest";
import { csvSentences } from "#contract/csv-header.ts";
import { type Fault, tasksOf } from "#web/features/csv/fault.ts";
import type { FileSummary } from "#web/features/csv/import-file.ts";
import { type Phase, troubleOf } from "#web/features/csv/import-form.ts";
import {
  nextStep,
  type Outcome,
  outcomeSentence,
  outcomeToast,
  timeLeft,
  toImport,
} from "#web/features/csv/outcome.ts";
import { noRows } from "#web/features/csv/send-rows.ts";

const fault = (line: number, column: string | null, kind: Fault["kind"]): Fault => ({
  line,
  column,
  kind,
  value: "",
  reason: "",
});
const summary = (given: Partial<FileSummary> = {}): FileSummary => ({
  headers: [],
  mapping: [],
  ignored: [],
  headerTrouble: null,
  rowCount: 10,
  sendable: 10,
  faults: [],
  first: [],
  ...given,
});
const outcome = (tally: Partial<Outcome["tally"]>, given: Partial<Outcome> = {}): Outcome => ({
  summary: summary(),
  tally: { ...noRows, sent: 10, ...tally },
  complete: true,
  failure: null,
  ...given,
});

test("beside the button stands how many rows bring something new", () => {
  const words = (tally: Partial<Outcome["tally"]>, joining = false) => toImport(outcome(tally), joining);
  expect(words({ created: 8, updated: 2 })).toBe("10 rows to import");
  expect(words({ created: 1, updated: 2, unchanged: 3, skipped: 1, rejected: 3 })).toBe(
    "3 of 10 rows to import",
  );
  expect(words({ unchanged: 7, rejected: 3 })).toBe("Nothing to change");
  expect(words({ unchanged: 7, rejected: 3 }, true)).toBe("7 of 10 rows to import");
});

test("the written success is said only when every row went in", () => {
  expect(outcomeToast(outcome({ created: 7, updated: 2, unchanged: 1 }))).toEqual({
    title: "Import Successful",
    description: "User data has been imported successfully.",
  });
  expect(outcomeToast(outcome({ created: 9, rejected: 1 }))).toMatchObject({
    title: "Import Incomplete",
    description: "9 rows went in, 1 left out.",
  });
  // A row of another width was never sent, and is as much left out.
  expect(outcomeToast(outcome({ created: 10 }, { summary: summary({ rowCount: 11 }) }))).toMatchObject({
    title: "Import Incomplete",
  });
  expect(outcomeToast(outcome({ rejected: 10 }))).toMatchObject({
    title: "Import Failed",
    variant: "destructive",
  });
  expect(outcomeToast(outcome({ sent: 4, created: 4 }, { complete: false }))).toEqual({
    title: "Import Stopped",
    description: "6 rows were not sent. 4 rows went in before that.",
  });
  expect(
    outcomeToast(outcome({ sent: 0 }, { complete: false, failure: "500: Something went wrong" })),
  ).toEqual({
    title: "Import Failed",
    description: "500: Something went wrong",
    variant: "destructive",
  });
});

test("what came of the rows is told in numbers that add up", () => {
  expect(outcomeSentence(outcome({ created: 2, updated: 1, rejected: 7 }))).toBe(
    "2 created, 1 updated, 7 left out",
  );
  expect(outcomeSentence(outcome({ sent: 4, created: 1, unchanged: 3 }, { complete: false }))).toBe(
    "1 created, 0 updated, 3 unchanged, 0 left out, 6 not sent",
  );
});

test("what is to be done next speaks of good rows only where there were some", () => {
  expect(nextStep(outcome({ created: 10 }))).toBe("Every row went in.");
  expect(nextStep(outcome({ unchanged: 1, rejected: 9 }))).toMatch(/^The good rows went in\. Fix the others/);
  expect(nextStep(outcome({ rejected: 10 }))).toBe("No row went in. Fix them and import them again.");
});

test("each kind of trouble is one task, the most frequent first", () => {
  const faults = [
    fault(2, "Phone", "invalid"),
    fault(3, "Phone", "invalid"),
    fault(2, "Last Name", "missing"),
    fault(5, "username", "duplicate"),
    ...[6, 7, 8].map((line) => fault(line, null, "cells")),
    fault(9, "role", "not-allowed"),
    fault(10, "phone", "taken"),
    fault(11, "reason", "held"),
  ];
  expect(tasksOf(faults)).toEqual([
    "check the number of cells in 3 rows",
    "fix 2 phone numbers",
    "remove 1 row that stands in the file twice",
    "look at 1 row that was handed back",
    "enter 1 missing last name",
    "ask an administrator to import 1 row",
    "fix 1 phone number that is somebody else's",
  ]);
  expect(tasksOf([])).toEqual([]);
});

test("the form says its sentence before it imports", () => {
  const read = (given: Partial<FileSummary>): Phase => ({
    name: "read",
    summary: summary(given),
    check: null,
  });
  expect(troubleOf({ name: "empty" }, false)).toEqual({ sentence: csvSentences.required });
  expect(troubleOf(read({}), false)).toBeNull();
  expect(troubleOf(read({ headerTrouble: "The header lastName is missing." }), true)).toMatchObject({
    sentence: "The header lastName is missing.",
  });
  const ragged = read({ faults: [2, 5, 6, 7, 8, 9, 12].map((line) => fault(line, null, "cells")) });
  expect(troubleOf(ragged, false)).toEqual({
    sentence: csvSentences.format,
    detail:
      "Rows 2, 5, 6, 7, 8, and 2 more do not have as many cells as the header. Fix them in the text, or leave those rows out.",
  });
  expect(troubleOf(ragged, true)).toBeNull();
});

test("the time left is an estimate from what is done", () => {
  expect(timeLeft(0, 100, 5000)).toBe("");
  expect(timeLeft(50, 100, 500)).toBe("");
  expect(timeLeft(50, 100, 1000)).toBe("about 1 second left");
  expect(timeLeft(10, 100, 2000)).toBe("about 18 seconds left");
  expect(timeLeft(10, 1000, 2000)).toBe("about 3 minutes left");
});

test("a task names what a column was chosen to be", () => {
  const meaningOf = (header: string) => (header === "Handy" ? ("phone" as const) : undefined);
  expect(tasksOf([fault(2, "Handy", "invalid")], meaningOf)).toEqual(["fix 1 phone number"]);
});
