import { expect, test } from "vitest";
import type { ImportResult } from "#contract/calls/csv.ts";
import type { Chunk } from "#web/features/csv/import-file.ts";
import { noRows, sendRows, type Tally } from "#web/features/csv/send-rows.ts";

const result = (given: Partial<ImportResult>): ImportResult => ({
  startedAt: "2026-11-25T09:00:00Z",
  created: 0,
  updated: 0,
  unchanged: 0,
  skipped: 0,
  rejected: 0,
  existing: 0,
  absent: 0,
  renames: [],
  warnings: [],
  badCells: [],
  ignoredColumns: [],
  ...given,
});

/** Five rows on the even lines, two a call. */
async function chunk(from: number): Promise<Chunk> {
  const places = [0, 1, 2, 3, 4].slice(from, from + 2);
  return {
    rows: places.map((n) => ({ n: String(n) })),
    places: places.map((n) => ({ line: n * 2 + 2, resident: 1 })),
    next: from + places.length,
  };
}
const headerOf = (field: string) => `the ${field}`;
const bad = {
  row: 2,
  column: "email",
  value: "x",
  kind: "invalid" as const,
  reason: "Invalid email address",
};

test("all rows are sent in order, answers add up, and bad cells get the file's row numbers", async () => {
  const sent: string[] = [];
  const sinces: (string | undefined)[] = [];
  const told: Tally[] = [];
  const complete = await sendRows({
    chunk,
    headerOf,
    decisionOf: (place) => (place === 3 ? "new" : undefined),
    send: async (rows, since) => {
      sinces.push(since);
      sent.push(rows.map((row) => `${row["n"]}${row["decision"] ?? ""}`).join(""));
      return rows.length === 2
        ? result({ created: 1, rejected: 1, badCells: [bad] })
        : result({
            updated: 1,
            renames: [{ row: 1, before: "Ana Silva", after: "Ana Abel" }],
          });
    },
    onProgress: (tally) => told.push(tally),
    stopped: () => false,
  });
  expect(complete).toBe(true);
  expect(sent).toEqual(["01", "23new", "4"]);
  // People created by the first call are not candidates in the others.
  expect(sinces).toEqual([undefined, "2026-11-25T09:00:00Z", "2026-11-25T09:00:00Z"]);
  expect(told.at(-1)?.faults.map(({ place }) => place)).toEqual([1, 3]);
  expect(told.map((tally) => tally.sent)).toEqual([2, 4, 5]);
  expect(told.at(-1)).toMatchObject({ created: 2, updated: 1, rejected: 2 });
  expect(told.at(-1)?.renames).toEqual([{ row: 10, before: "Ana Silva", after: "Ana Abel" }]);
  expect(told.at(-1)?.faults.map((fault) => [fault.line, fault.column])).toEqual([
    [4, "the email"],
    [8, "the email"],
  ]);
});

test("a stop lets the call under way end, and the next try goes on from there", async () => {
  let tally = noRows;
  const sending = {
    chunk,
    headerOf,
    send: async () => result({ created: 1 }),
    onProgress: (now: Tally) => {
      tally = now;
    },
  };
  expect(await sendRows({ ...sending, stopped: () => tally.sent >= 2 })).toBe(false);
  expect(tally.sent).toBe(2);
  expect(await sendRows({ ...sending, from: tally, stopped: () => false })).toBe(true);
  expect(tally).toMatchObject({ sent: 5, created: 3 });
});

test("a call that fails leaves what was told before", async () => {
  let tally = noRows;
  let calls = 0;
  const sending = sendRows({
    chunk,
    headerOf,
    send: async () => {
      calls++;
      if (calls === 2) throw new Error("The server cannot be reached.");
      return result({ created: 2 });
    },
    onProgress: (now) => {
      tally = now;
    },
    stopped: () => false,
  });
  await expect(sending).rejects.toThrow("The server cannot be reached.");
  expect(tally).toMatchObject({ sent: 2, created: 2 });
});
