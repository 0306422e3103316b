import { expect, onTestFinished, test, vi } from "vitest";
import { withLogFields } from "#server/telemetry/signals.ts";
import { withoutRepeats } from "./without-repeats.ts";

test("an error that repeats is reported at once and then every ten seconds, with its number", () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const reported: [string, number][] = [];
  const report = withoutRepeats("error", (error, times) => reported.push([(error as Error).message, times]));
  const gone = () => Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" });
  for (let n = 0; n < 50; n += 1) report(gone());
  expect(reported).toEqual([["connect ECONNREFUSED", 1]]);
  report(new Error("another"));
  withLogFields({ runId: 7 }, () => report(gone()));
  expect(reported.slice(1)).toEqual([
    ["another", 1],
    ["connect ECONNREFUSED", 1],
  ]);
  vi.advanceTimersByTime(10_000);
  report(gone());
  expect(reported.at(-1)).toEqual(["connect ECONNREFUSED", 50]);
});
