import { expect, test } from "vitest";
import { type CsvField, csvSentences } from "#contract/text/csv-header.ts";
import { ApiError } from "#web/api/call-errors.ts";
import { type Fault, tasksOf } from "#web/features/csv/fault.ts";
import type { FileSummary } from "#web/features/csv/import-file.ts";
import {
  defaultOptions,
  LEAVE_OUT,
  optionsSentence,
  type Phase,
  troubleOf,
  withDecisions,
} from "#web/features/csv/import-form.ts";
import {
  failureOf,
  nextStep,
  type Outcome,
  outcomeSentence,
  outcomeToast,
  timeLeft,
  toFix,
  toImport,
} from "#web/features/csv/outcome.ts";
import { noRows } from "#web/features/csv/send-rows.ts";

const fault = (line: number, field: CsvField | null, kind: Fault["kind"]): Fault => ({
  line,
  field,
  column: field,
  kind,
  value: "",
  reason: "",
});
const summary = (given: Partial<FileSummary> = {}): FileSummary => ({
  headers: [],
  headerLine: 1,
  mapping: [],
  headerTrouble: null,
  unit: "row",
  sendable: 10,
  faults: [],
  otherRoles: [],
  first: [],
  examples: [],
  ...given,
});
const outcome = (tally: Partial<Outcome["tally"]>, given: Partial<Outcome> = {}): Outcome => ({
  summary: summary(),
  tally: { ...noRows, sent: 10, ...tally },
  decisions: new Map(),
  complete: true,
  failure: null,
  ...given,
});

test("beside the button is how many rows bring something new", () => {
  const text = (tally: Partial<Outcome["tally"]>, joining = false) => toImport(outcome(tally), joining);
  expect(text({ created: 8, updated: 2 })).toBe("10 rows to import");
  expect(text({ created: 1, updated: 2, unchanged: 3, skipped: 1, rejected: 3 })).toBe(
    "3 of 10 rows to import",
  );
  expect(text({ unchanged: 7, rejected: 3 })).toBe("Nothing to import");
  expect(text({ unchanged: 7, rejected: 3 }, true)).toBe("7 of 10 rows to import");
  const residents = { summary: summary({ unit: "person" }) };
  expect(toImport(outcome({ created: 10 }, residents), false)).toBe("10 people to import");
});

test("the written success is said only when every row was imported", () => {
  expect(outcomeToast(outcome({ created: 7, updated: 2, unchanged: 1 }))).toEqual({
    title: "Import Successful",
    description: "User data has been imported successfully.",
  });
  const invalid = [fault(3, "phone", "invalid"), fault(3, "email", "invalid")];
  expect(outcomeToast(outcome({ created: 9, rejected: 1, faults: invalid }))).toEqual({
    title: "Import Incomplete",
    description: "9 rows imported. 1 row needs fixing.",
    variant: "destructive",
  });
  const allInvalid = Array.from({ length: 10 }, (_, place) => fault(place + 2, "phone", "invalid"));
  expect(outcomeToast(outcome({ rejected: 10, faults: allInvalid }))).toMatchObject({
    title: "Import Failed",
    variant: "destructive",
  });
  expect(outcomeToast(outcome({ sent: 4, created: 4 }, { complete: false }))).toEqual({
    title: "Import Stopped",
    description: "6 rows not sent. 4 rows imported before that.",
  });
  const unconfirmed = outcome({ sent: 4, created: 4 }, { complete: false, unconfirmed: true });
  expect(nextStep(unconfirmed)).toBe(
    "You didn't enter your password, so the rest was not sent. You can continue the import.",
  );
  expect(outcomeToast(unconfirmed).title).toBe("Import Stopped");
  // spec 259
  for (const [error, description] of [
    [new ApiError(500, "The cellar is flooded"), "500: The cellar is flooded"],
    [new Error(""), "Failed to import CSV data"],
  ] as const) {
    const failed = outcome({ sent: 0 }, { complete: false, failure: failureOf(error) });
    expect(outcomeToast(failed)).toEqual({ title: "Import Failed", description, variant: "destructive" });
  }
});

test("what someone chose to leave out is no failure", () => {
  const faults = [1, 2].map((place) => ({ ...fault(place + 2, "email", "undecided"), place }));
  const tally = { created: 8, rejected: 2, faults };
  const undecided = outcome(tally, { decisions: new Map([[1, LEAVE_OUT]]) });
  expect(outcomeToast(undecided)).toMatchObject({ title: "Import Incomplete", variant: "destructive" });
  expect(toFix(undecided)).toEqual([faults[1]]);
  const decisions = new Map([1, 2].map((place) => [place, LEAVE_OUT]));
  // An import doesn't start before someone has left out its rows of another width.
  const ragged = summary({ faults: [fault(9, null, "cells")] });
  const decided = outcome(tally, { decisions, summary: ragged });
  expect(outcomeToast(decided)).toEqual({
    title: "Import Complete",
    description: "8 rows imported, 3 left out as you chose.",
  });
  expect(nextStep(decided)).toBe("All other rows were left out as you chose.");
  const none = outcome({ rejected: 2, faults }, { decisions, summary: summary({ sendable: 2 }) });
  expect(outcomeToast(none).title).toBe("Import Complete");
  expect(nextStep(none)).toBe("Every row was left out as you chose.");
});

test("what happened to the rows is said in numbers that add up", () => {
  const faults = Array.from({ length: 6 }, (_, place) => fault(place + 2, "phone", "invalid"));
  const absent = fault(9, "status", "absent");
  expect(outcomeSentence(outcome({ created: 2, updated: 1, rejected: 7, faults: [...faults, absent] }))).toBe(
    "2 people added, 1 updated, 1 left out. 6 rows need fixing.",
  );
  expect(outcomeSentence(outcome({ sent: 4, created: 1, unchanged: 3 }, { complete: false }))).toBe(
    "1 person added, 3 unchanged, 6 not sent.",
  );
  expect(outcomeSentence(outcome({ unchanged: 10 }))).toBe("10 rows unchanged.");
  const only = [fault(3, "phone", "invalid"), fault(3, "email", "invalid")];
  expect(outcomeSentence(outcome({ rejected: 1, faults: only }))).toBe(
    "No one was added. 1 row needs fixing.",
  );
});

test("the next step mentions imported rows only where there are some", () => {
  expect(nextStep(outcome({ created: 10 }))).toBe("Every row was imported.");
  const faults = [fault(3, "phone", "invalid")];
  expect(nextStep(outcome({ unchanged: 1, rejected: 9, faults }))).toMatch(
    /^All other rows were imported\. Fix these/,
  );
  expect(nextStep(outcome({ rejected: 10, faults }))).toBe(
    "No rows were imported. Fix them and import them again.",
  );
});

test("each kind of trouble is one task, the most frequent first", () => {
  const faults = [
    fault(2, "phone", "invalid"),
    fault(3, "phone", "invalid"),
    fault(2, "lastName", "missing"),
    fault(5, "username", "duplicate"),
    ...[6, 7, 8].map((line) => fault(line, null, "cells")),
    fault(9, "role", "not-allowed"),
    fault(10, "phone", "undecided"),
  ];
  expect(tasksOf(faults)).toEqual([
    "check the number of cells in 3 rows",
    "fix 2 phone numbers",
    "remove 1 row about someone in an earlier row",
    "enter 1 missing last name",
    "ask an administrator to import 1 row",
    "decide who 1 row is about",
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
  const headerTrouble = "The column lastName is missing.";
  expect(troubleOf(read({ headerTrouble }), true)).toMatchObject({ sentence: headerTrouble });
  // With unequal cell counts the written sentence comes first, whatever the columns are called.
  const faults = [2, 5, 6, 7, 8, 9, 12].map((line) => fault(line, null, "cells"));
  // spec 212
  for (const ragged of [read({ faults }), read({ faults, headerTrouble })]) {
    expect(troubleOf(ragged, false)).toEqual({
      sentence: csvSentences.format,
      detail:
        "Rows 2, 5, 6, 7, 8, and 2 more don't have as many cells as the header. Fix them or leave them out.",
    });
  }
  expect(troubleOf(read({ faults }), true)).toBeNull();
});

test("the undecided are counted as the manager decided", () => {
  const faults = [1, 2, 3].map((place) => ({ ...fault(place + 1, "email", "undecided"), place }));
  const tally = { ...noRows, sent: 10, created: 7, rejected: 3, faults };
  expect(withDecisions(tally, new Map())).toEqual(tally);
  const decided = withDecisions(
    tally,
    new Map([
      [1, "new"],
      [3, "42"],
    ]),
  );
  expect(withDecisions(tally, new Map([[2, LEAVE_OUT]]))).toMatchObject({
    created: 7,
    rejected: 3,
    faults: [{ place: 1 }, { place: 3 }],
  });
  expect(decided).toMatchObject({ created: 8, updated: 1, rejected: 1, faults: [{ place: 2 }] });
});

test("what holds for the whole file is said in sentences", () => {
  expect(optionsSentence(defaultOptions)).toBe(
    "New people become tenants. Existing people are matched by username, email or phone.",
  );
  const groups = [
    { id: 4, name: "Board" },
    { id: 9, name: "Pool keys" },
  ];
  expect(optionsSentence({ ...defaultOptions, defaultRole: "staff", groups })).toBe(
    "New people become staff. Existing people are matched by username, email or phone. Everyone joins Board and Pool keys.",
  );
});

test("the time left is an estimate from what is done", () => {
  expect(timeLeft(0, 100, 5000)).toBe("");
  expect(timeLeft(50, 100, 500)).toBe("");
  expect(timeLeft(50, 100, 1000)).toBe("about 1 second left");
  expect(timeLeft(10, 100, 2000)).toBe("about 18 seconds left");
  expect(timeLeft(10, 1000, 2000)).toBe("about 3 minutes left");
});
