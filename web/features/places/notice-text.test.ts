import { expect, test } from "vitest";
import type { PersonOutcome } from "#contract/delivery.ts";
import { noticeLook } from "#web/features/places/notice-text.ts";

const textOf = (...people: [string, PersonOutcome][]) =>
  noticeLook(people.map(([name, outcome]) => ({ name, outcome }))).text.replaceAll(/[\u2066-\u2069]/g, "");

test("a notice to a home names those who weren't reached, unless it is everyone", () => {
  expect(textOf(["Ann", "sent"])).toBe("Reached");
  expect(textOf(["Ann", "sent"], ["Bo", "shared"])).toBe("Reached both");
  expect(textOf(["Ann", "sent"], ["Bo", "delivered"], ["Cy", "sent"])).toBe("Reached all 3");
  expect(textOf(["Ann", "sent"], ["Bo", "failed"])).toBe("Bo not reached");
  expect(textOf(["Ann", "skipped"])).toBe("Not reached");
  expect(textOf(["Ann", "skipped"], ["Bo", "failed"])).toBe("Both not reached");
  expect(textOf(["Ann", "opted-out"], ["Bo", "sent"], ["Cy", "waiting"], ["Di", "skipped"])).toBe(
    "Di not reached, Cy waiting, Ann opted out",
  );
  expect(textOf(["Ann", "cancelled"])).toBe("Cancelled");
  expect(textOf(["de Wit", "failed"], ["Bo", "sent"])).toBe("de Wit not reached");
});
