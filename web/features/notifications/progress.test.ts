import { describe, expect, it } from "vitest";
import { deliveryStatuses, personOutcomes, type PersonOutcome } from "#contract/delivery.ts";
import type { Reason } from "#contract/delivery-reasons.ts";
import {
  channelsWithoutReceipts,
  detailCounts,
  type DeliveryCounts,
  type RunProgress,
} from "#contract/run-progress.ts";
import {
  announcement,
  arrivals,
  barParts,
  channelText,
  groupCounts,
  messageRows,
  messagesOn,
  missedPeople,
  paceText,
  percent,
  quarter,
  runNumbers,
  timeLeft,
  turnedOff,
} from "#web/features/notifications/progress.ts";

function run(counts: Partial<DeliveryCounts>, over: Partial<RunProgress> = {}): RunProgress {
  const all = Object.fromEntries(deliveryStatuses.map((status) => [status, counts[status] ?? 0]));
  return {
    runId: 1,
    notificationId: 1,
    state: "sending",
    people: 48,
    outcomes: outcomes({}),
    peopleWaiting: 0,
    total: Object.values(counts).reduce((sum, one) => sum + one, 0),
    counts: all as DeliveryCounts,
    byChannel: {},
    reasons: [],
    simulated: false,
    simulatedChannels: [],
    opened: 0,
    clicked: 0,
    archived: null,
    startedAt: "2026-11-20T09:00:00Z",
    finishedAt: null,
    lateSeconds: 0,
    perSecond: 10,
    secondsLeft: 3,
    stalled: null,
    notes: [],
    ...over,
  };
}

function outcomes(people: Partial<Record<PersonOutcome, number>>): RunProgress["outcomes"] {
  const all = personOutcomes.map((outcome) => [outcome, people[outcome] ?? 0]);
  return Object.fromEntries(all) as RunProgress["outcomes"];
}

describe("timeLeft", () => {
  it.each([
    [0, "1 s left"],
    [2.1, "3 s left"],
    [59, "59 s left"],
    [60, "1 min left"],
    [61, "2 min left"],
    [3600, "1 h left"],
    [3900, "1 h 5 min left"],
    [3599.5, "1 h left"],
  ])("%s seconds", (seconds, words) => {
    expect(timeLeft(seconds)).toBe(words);
  });
});

describe("runNumbers", () => {
  it("counts the skipped as nothing to send, and what is on the wire as gone", () => {
    const numbers = runNumbers(
      run({ queued: 18, sending: 4, accepted: 20, delivered: 5, failed: 1, skipped: 2 }),
    );
    expect(numbers).toEqual({ toSend: 48, queued: 18, done: 26, gone: 29, failed: 1 });
  });

  it("takes an unconfirmed message as gone: it may have arrived", () => {
    expect(runNumbers(run({ uncertain: 3, queued: 1 }))).toMatchObject({ gone: 3, done: 3, queued: 1 });
  });
});

describe("paceText", () => {
  it("says how long it takes", () => {
    expect(paceText(run({ queued: 18, accepted: 30 }))).toBe("3 s left");
  });

  it("promises no time while recipients are still being found", () => {
    expect(paceText(run({ queued: 18 }, { state: "fanning-out" }))).toBe("finding recipients");
  });

  it("says what it waits for, and promises no time then", () => {
    const stalled = "waiting for mail.example";
    expect(paceText(run({ queued: 40, accepted: 30 }, { stalled }))).toBe(stalled);
  });

  it("is silent when the rate is unknown", () => {
    expect(paceText(run({ queued: 48 }, { secondsLeft: null }))).toBe("");
  });
});

describe("the people of a run", () => {
  it("are all in the bar, each once", () => {
    const people = Object.fromEntries(personOutcomes.map((outcome, index) => [outcome, 2 ** index]));
    const drawn = barParts(outcomes(people)).reduce((sum, part) => sum + part.count, 0);
    expect(drawn).toBe(2 ** personOutcomes.length - 1);
  });

  it("are missed when nothing reached them, and not when one channel of several did", () => {
    const mixed = outcomes({ sent: 53, failed: 1, skipped: 3, cancelled: 2, "opted-out": 5 });
    expect(missedPeople({ outcomes: mixed })).toBe(4);
  });
});

describe("the messages of a run", () => {
  const byChannel = {
    email: run({ accepted: 6, delivered: 47, skipped: 10 }).counts,
    push: run({ skipped: 57, cancelled: 2 }).counts,
  };
  const of = (channel: "email" | "sms" | "push", reason: Reason, count: number) =>
    ({ channel, status: "skipped", reason, count, sentence: "" }) as const;
  const reasons = [
    of("push", "no-device", 57),
    of("email", "opted-out", 4),
    of("email", "no-device", 3),
    of("email", "same-address", 2),
    of("email", "person-removed", 1),
  ];

  it("are named by what became of them", () => {
    expect(messageRows({ byChannel, reasons })).toEqual([
      { label: "Sent, no receipt", counts: { email: 6, push: 0 } },
      { label: "Delivered", counts: { email: 47, push: 0 } },
      { label: "Skipped", counts: { email: 3, push: 57 } },
      { label: "Cancelled", counts: { email: 1, push: 2 } },
      { label: "Turned off", counts: { email: 4 } },
      { label: "Covered", counts: { email: 2 } },
    ]);
    const named = barParts(outcomes({ sent: 1, shared: 1, skipped: 1, "opted-out": 1, cancelled: 1 }));
    expect(named.flatMap(({ label, count }) => (count > 0 ? [label] : []))).toEqual([
      "Sent to 1 person, no receipt yet",
      "Someone else's message covers 1 person",
      "Cancelled, or left out: 1 person",
      "Couldn't be sent to 1 person",
      "Turned off by 1 person",
    ]);
  });

  it("are counted on each channel, without those that people have turned off", () => {
    expect(channelText({ byChannel, reasons }, "email")).toBe(
      "47 delivered, 6 sent, 3 skipped, 1 cancelled, 2 covered",
    );
    expect(channelText({ byChannel, reasons }, "push")).toBe("57 skipped, 2 cancelled");
    expect(turnedOff({ reasons })).toEqual(["4 people have email turned off"]);
    expect(turnedOff({ reasons: [of("push", "opted-out", 17), of("sms", "opted-out", 1)] })).toEqual([
      "1 person has text messages turned off",
      "17 people have push turned off",
    ]);
  });
});

describe("groupCounts", () => {
  it("counts as the filter of the deliveries does", () => {
    expect(groupCounts(run({ delivered: 5, accepted: 2, skipped: 1, bounced: 1, cancelled: 4 }))).toEqual({
      waiting: 0,
      reached: 7,
      unreached: 2,
      "left-out": 4,
    });
  });
});

it("counts no message for anyone who shares an address", () => {
  const shared = {
    channel: "sms",
    status: "skipped",
    reason: "same-address",
    count: 3,
    sentence: "",
  } as const;
  expect(groupCounts(run({ delivered: 5, skipped: 4 }, { reasons: [shared] })).unreached).toBe(1);
});

describe("arrivals", () => {
  const counts = (over: Partial<DeliveryCounts>) => run(over).counts;
  const finished = { state: "finished" } as const;

  it("are unknown where no provider sends a receipt, and none only while they may still come", () => {
    const progress = { byChannel: { email: counts({ accepted: 5 }) } };
    expect(arrivals(run({ accepted: 5 }, { ...finished, ...progress })).delivered).toBeNull();
    expect(arrivals(run({ accepted: 5 }, progress)).delivered).toBe(0);
    expect(arrivals(run({ skipped: 5 }, finished)).delivered).toBe(0);
  });

  it("are not those in the Sandbox, where others went out for real", () => {
    const byChannel = { email: counts({ accepted: 5, bounced: 1 }), sms: counts({ delivered: 6 }) };
    const mixed = run(
      { accepted: 5, bounced: 1, delivered: 6 },
      { ...finished, byChannel, simulated: true, simulatedChannels: ["sms"] },
    );
    expect(arrivals(mixed)).toEqual({ delivered: null, sent: 0, channels: [] });
    expect(detailCounts(mixed)).toMatchObject({ sent_count: 6, delivered_count: null, failed_count: 1 });
  });

  it("are missing on the channels whose provider reported none", () => {
    const silent = (over: Partial<RunProgress>) => channelsWithoutReceipts(run({}, { ...finished, ...over }));
    const email = { email: counts({ accepted: 5 }) };
    expect(silent({ byChannel: email })).toEqual({ channels: ["email"], all: true });
    const sms = { sms: counts({ delivered: 3, accepted: 2 }) };
    expect(silent({ byChannel: { ...email, ...sms } })).toEqual({ channels: ["email"], all: false });
    expect(silent({ byChannel: sms }).channels).toEqual([]);
    expect(silent({ byChannel: email, state: "sending" }).channels).toEqual([]);
    expect(silent({ byChannel: { email: counts({ failed: 5 }) } }).channels).toEqual([]);
    const simulated = { simulated: true, simulatedChannels: ["email" as const] };
    expect(silent({ byChannel: { ...email, ...sms }, ...simulated }).channels).toEqual([]);
    expect(silent({ byChannel: email, simulated: true }).channels).toEqual([]);
  });

  it("are a share of the channels that tell", () => {
    const byChannel = {
      email: counts({ accepted: 107 }),
      sms: counts({ delivered: 80, accepted: 6, bounced: 2 }),
    };
    expect(arrivals(run({ accepted: 113, delivered: 80, bounced: 2 }, { ...finished, byChannel }))).toEqual({
      delivered: 80,
      sent: 88,
      channels: ["sms"],
    });
  });
});

describe("announcements", () => {
  it("come four times a run, not with every number", () => {
    const steps = [0, 11, 12, 23, 24, 36, 47, 48].map((done) =>
      quarter(run({ queued: 48 - done, accepted: done })),
    );
    expect(steps).toEqual([0, 0, 1, 1, 2, 3, 3, 3]);
    expect(quarter(run({ accepted: 48 }, { state: "finished" }))).toBe(4);
  });

  it("say what has gone and what failed, and the outcome at the end", () => {
    const under = run({ queued: 24, accepted: 23, failed: 1 });
    expect(announcement("Water", "Sending", under)).toBe("Water: 24 of 48 messages, 1 failed");
    const over = run({ delivered: 1 }, { state: "finished" });
    expect(announcement("Water", "Delivered", over)).toBe("Water: Delivered, 1 of 1 message");
  });
});

describe("words", () => {
  it.each([
    [499, 500, "99%"],
    [1, 5000, "1%"],
    [0, 5000, "0%"],
    [5, 5, "100%"],
    [1, 0, null],
  ])("%s of %s is %s", (part, whole, words) => {
    expect(percent(part, whole)).toBe(words);
  });

  it("speaks of texts as people do", () => {
    expect([messagesOn("sms", 40), messagesOn("sms", 1), messagesOn("email", 1200)]).toEqual([
      "40 texts",
      "1 text",
      "1,200 emails",
    ]);
  });
});
