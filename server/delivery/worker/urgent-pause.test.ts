import { expect, test } from "vitest";
import { UrgentPause } from "./urgent-pause.ts";

test("emergencies that are told to slow down wait longer each time, up to a minute, until one is accepted", () => {
  let now = 0;
  const pause = new UrgentPause(() => now);
  const throttled = () =>
    pause.settled({ kind: "throttled", retryAfterMs: 3_600_000, code: "429", detail: "" });
  const waits = () => {
    const began = now;
    while (!pause.over) now += 500;
    return (now - began) / 1000;
  };
  expect(pause.over).toBe(true);
  const waited = Array.from({ length: 8 }, () => {
    // The answers to three at the same moment.
    for (let n = 0; n < 3; n += 1) throttled();
    return waits();
  });
  expect(waited).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  pause.settled({ kind: "accepted" });
  throttled();
  expect(waits()).toBe(1);
});
