import { describe, expect, test } from "vitest";
import { deliveryStatuses, type DeliveryStatus } from "#contract/delivery.ts";
import { receiptKinds, type Receipt } from "../transports/webhook.ts";
import { apply, inOrder, type DeliveryState } from "./apply.ts";

const at = new Date("2026-11-22T12:00:00Z");
const later = new Date("2026-11-22T12:05:00Z");

const stateOf = (status: DeliveryStatus, more: Partial<DeliveryState> = {}): DeliveryState => ({
  status,
  reason: null,
  detail: null,
  unconfirmed: 0,
  messageId: null,
  acceptedAt: null,
  deliveredAt: null,
  openedAt: null,
  clickedAt: null,
  ...more,
});
const receipt = (what: Receipt["what"], more: Partial<Receipt> = {}): Receipt => ({
  what,
  eventId: what,
  reference: "run-1",
  at,
  ...more,
});

/** The effect of each receipt, in the order of `receiptKinds`. ".": none. */
const table: [name: string, from: DeliveryState, becomes: string][] = [
  ["accepted", stateOf("accepted"), ". . delivered bounced failed . . . ."],
  [
    "uncertain",
    stateOf("uncertain", { reason: "unconfirmed" }),
    "accepted accepted delivered bounced failed accepted accepted accepted .",
  ],
  [
    "failed without an answer",
    stateOf("failed", { reason: "unconfirmed" }),
    "accepted accepted delivered bounced failed accepted accepted accepted .",
  ],
  ...(["queued", "expired", "cancelled"] as const).map((status): [string, DeliveryState, string] => [
    `${status} after a try without an answer`,
    stateOf(status, { unconfirmed: 1 }),
    "accepted accepted delivered . . accepted accepted accepted .",
  ]),
  ["failed for a reason", stateOf("failed", { reason: "refused" }), ". . . . . . . . ."],
  ...(["queued", "sending", "delivered", "bounced", "skipped", "cancelled", "expired"] as const).map(
    (status): [string, DeliveryState, string] => [status, stateOf(status), ". . . . . . . . ."],
  ),
];

test("the table covers every status", () => {
  expect(new Set(table.map(([, { status }]) => status))).toEqual(new Set(deliveryStatuses));
});

test.each(table)("%s only moves forward", (_name, from, becomes) => {
  const moved = receiptKinds.map((what) => {
    const { status, reason } = apply(from, receipt(what)).state;
    return status === from.status && reason === from.reason ? "." : status;
  });
  expect(moved.join(" ")).toBe(becomes);
});

test("times come from the provider, and the first ones are kept", () => {
  const uncertain = stateOf("uncertain", { reason: "unconfirmed", detail: "no answer" });
  const opened = apply(uncertain, receipt("opened", { messageId: "m1" })).state;
  expect(opened).toEqual(stateOf("accepted", { acceptedAt: at, openedAt: at, messageId: "m1" }));
  const delivered = apply(opened, receipt("delivered", { at: later, detail: "250 OK" })).state;
  expect(delivered).toMatchObject({ status: "delivered", acceptedAt: at, deliveredAt: later });
  expect(apply(delivered, receipt("opened", { at: later }))).toMatchObject({
    state: { openedAt: at },
    event: null,
  });
});

test("a bounce or complaint after delivery adds an event and a suppression, without a change of state", () => {
  const delivered = stateOf("delivered", { deliveredAt: at });
  for (const what of ["bounced", "complained", "unsubscribed"] as const) {
    expect(apply(delivered, receipt(what, { suppress: true }))).toEqual({
      state: delivered,
      event: what,
      suppress: true,
    });
  }
});

test("a receipt for an earlier attempt, with another id, changes no state", () => {
  const again = stateOf("accepted", { messageId: "second" });
  expect(apply(again, receipt("bounced", { messageId: "first", suppress: true }))).toEqual({
    state: again,
    event: "bounced",
    suppress: true,
  });
  expect(apply(again, receipt("delivered"), true).state).toBe(again);
  const waiting = stateOf("queued", { unconfirmed: 1 });
  expect(apply(waiting, receipt("bounced", { messageId: "first" })).state.messageId).toBeNull();
  expect(apply(again, receipt("bounced", { messageId: "second" })).state.status).toBe("bounced");
});

describe("the reason for a failure", () => {
  test.each([
    [{ suppress: true, code: "5.1.1" }, "no-such-address"],
    [{ code: "5.2.2" }, "mailbox-full"],
    [{ suppress: true, code: "unsubscribed" }, "unsubscribed"],
    [{ suppress: true, code: "complained" }, "refused"],
    [{ suppress: true, code: "suppressed" }, "refused"],
    [{ code: "5.7.1" }, "undelivered"],
    [{}, "undelivered"],
  ])("%j", (more, reason) => {
    expect(apply(stateOf("accepted"), receipt("bounced", more)).state.reason).toBe(reason);
    expect(apply(stateOf("accepted"), receipt("failed", more)).state.reason).toBe(reason);
  });
});

test("receipts that arrive together are applied by rank, then by time", () => {
  const shuffled = [
    receipt("clicked"),
    receipt("bounced"),
    receipt("delivered", { at: later, eventId: "late" }),
    receipt("delivered"),
    receipt("accepted"),
  ];
  expect(shuffled.toSorted(inOrder).map(({ eventId }) => eventId)).toEqual([
    "accepted",
    "delivered",
    "late",
    "bounced",
    "clicked",
  ]);
});
