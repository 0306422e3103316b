import { expect, test } from "vitest";
import { searchZones } from "#web/features/settings/time-zones.ts";

const found = async (text: string) => (await searchZones(text)).options.map(({ key }) => key);

test("a zone is found by its place, by its name in either half of the year and by parts of both, in any case", async () => {
  expect(await found("new york")).toEqual(["America/New_York"]);
  expect((await found("mountain standard")).slice(0, 2)).toEqual(["America/Denver", "America/Phoenix"]);
  expect((await found("mountain daylight"))[0]).toBe("America/Denver");
  expect(await found("BERLIN europe")).toEqual(["Europe/Berlin"]);
  expect(await found("atlantis")).toEqual([]);
});

test("without a word the zones of the United States come first, and UTC is there", async () => {
  const all = await found("");
  expect(all[0]).toBe("America/New_York");
  expect(all).toContain("UTC");
});

test("a place that was renamed is found by both of its names", async () => {
  for (const name of ["Kyiv", "Kiev"]) expect(await found(name)).toHaveLength(1);
  for (const name of ["Kolkata", "Calcutta"]) expect(await found(name)).toHaveLength(1);
  expect(await found("kiev")).toEqual(await found("kyiv"));
  expect(await found("calcutta")).toEqual(await found("kolkata"));
});
