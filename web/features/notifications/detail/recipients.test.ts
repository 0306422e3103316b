import { expect, test } from "vitest";
import type { Delivery } from "#contract/calls/deliveries.ts";
import { wasReached } from "#web/features/notifications/detail/recipients.ts";

test("what went to the Sandbox reaches no one where another channel is real", () => {
  const message = (status: Delivery["status"], simulated: boolean) => ({ status, simulated }) as Delivery;
  expect(wasReached([message("skipped", false), message("delivered", true)])).toBe(false);
  expect(wasReached([message("accepted", false), message("failed", true)])).toBe(true);
  expect(wasReached([message("skipped", true), message("delivered", true)])).toBe(true);
});
