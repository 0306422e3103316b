import { expect, test } from "vitest";
import { TooltipProvider } from "#web/ui/feedback/tooltip.tsx";

// spec 277
test("a tooltip opens after 700 ms, and another one at once within 300 ms of it", () => {
  expect(TooltipProvider({ children: null }).props).toMatchObject({
    delayDuration: 700,
    skipDelayDuration: 300,
  });
});
