import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runNextSchedule } from "./scheduler.ts";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";
import { addGroup, addNotification, addPerson, addSchedule, clear, dependencies } from "../testing/scene.ts";
import { checkNextRuns } from "./check-next-runs.ts";
import { replan } from "./plan.ts";
import { lockSchedule, ruleOf } from "./schedule.ts";

let database: TestDatabase;
let now = new Date();
/** A clock time of New York in March 2025, when summer time begins on the 9th. */
const at = (local: string) => {
  now = new Date(Temporal.ZonedDateTime.from(`2025-03-${local}[America/New_York]`).epochMilliseconds);
};
const clock = () => Promise.resolve(now);

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  await clear(database.db);
  await addPerson(database.db);
  at("03T08:00");
});
afterAll(() => database.close());

const runAll = async (deps = dependencies) => {
  while (await runNextSchedule(database.db, deps, clock));
};
/** A schedule that is planned at the time that it is. */
const planned = async (values: Parameters<typeof addSchedule>[1] = {}) => {
  const id = await addSchedule(database.db, values);
  await runAll();
  return id;
};
const occurrences = async (id: number) => {
  const { rows } = await sql<{ day: string; state: string }>`
    SELECT occurrence AS day, state FROM schedule_occurrences WHERE schedule_id = ${id} ORDER BY occurrence`.execute(
    database.db,
  );
  return rows.map(({ day, state }) => `${day} ${state}`);
};
const stored = (id: number) =>
  database.db
    .selectFrom("schedules")
    .select(["next_run_at", "next_occurrence", "problem"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
const notifications = () =>
  database.db
    .selectFrom("notifications")
    .select(["title", "subject", "field_values", "status", "scheduled_time", "audience_text", "message_type"])
    .orderBy("id")
    .execute();

// spec 2
test("a run is a separate notification with the values of its day, and the next one is planned", async () => {
  const id = await planned();
  expect((await stored(id)).next_run_at).toEqual(new Date("2025-03-03T14:00:00Z"));
  at("03T08:59:59");
  await runAll();
  expect(await occurrences(id)).toEqual([]);
  at("03T09:00");
  await runAll();
  expect(await occurrences(id)).toEqual(["2025-03-03 started"]);
  expect(await notifications()).toEqual([
    {
      title: "Rent",
      subject: "Rent for {{property_unit}} is due on {{due_date}}",
      field_values: { amount: "$1,200", due_date: "April 1, 2025" },
      status: "Sending",
      scheduled_time: new Date("2025-03-03T14:00:00Z"),
      audience_text: "Everyone",
      message_type: "template",
    },
  ]);
  const run = await database.db.selectFrom("runs").select(["planned_for", "started_by"]).execute();
  expect(run).toEqual([{ planned_for: new Date("2025-03-03T14:00:00Z"), started_by: null }]);
  expect(await stored(id)).toMatchObject({
    next_run_at: new Date("2025-03-04T14:00:00Z"),
    next_occurrence: "2025-03-04",
  });
});

test("{{today}} is the day of the run in the schedule's zone, whatever day it is elsewhere", async () => {
  const { db } = database;
  const notification_id = await addNotification(db, { content: "{{today}}, {{day}}" });
  const field_values = JSON.stringify({ day: { daysAfter: 0 } });
  await planned({
    template_id: null,
    notification_id,
    field_values,
    zone: "America/Los_Angeles",
    time: "22:00",
  });
  at("04T01:00");
  await runAll();
  const version = await db.selectFrom("content_versions").select("field_values").executeTakeFirstOrThrow();
  expect(version.field_values).toMatchObject({ today: "March 3, 2025", day: "March 3, 2025" });
});

describe("a late start", () => {
  test("starts the run inside its window, and misses it after", async () => {
    const [short, long] = [await planned({ end_time: "10:00" }), await planned()];
    at("03T10:00");
    await runAll();
    expect(await occurrences(short)).toEqual(["2025-03-03 started"]);
    at("04T10:00:01");
    await runAll();
    expect(await occurrences(short)).toEqual(["2025-03-03 started", "2025-03-04 missed"]);
    expect(await occurrences(long)).toEqual(["2025-03-03 started", "2025-03-04 started"]);
    const missed = await database.db
      .selectFrom("schedule_occurrences")
      .select(["reason", "planned_for"])
      .where("state", "=", "missed")
      .execute();
    expect(missed).toEqual([
      {
        reason: "It couldn't start by 10:00 AM ET, so nothing was sent.",
        planned_for: new Date("2025-03-04T14:00:00Z"),
      },
    ]);
  });

  test("by days sends no burst of old ones, and says of each that it was missed", async () => {
    const id = await planned();
    const past = await planned({ end_time: "09:30" });
    at("06T12:00");
    await runAll();
    const gone = ["2025-03-03 missed", "2025-03-04 missed", "2025-03-05 missed"];
    expect(await occurrences(id)).toEqual([...gone, "2025-03-06 started"]);
    expect(await occurrences(past)).toEqual([...gone, "2025-03-06 missed"]);
    expect((await stored(past)).next_run_at).toEqual(new Date("2025-03-07T14:00:00Z"));
  });

  test("by years settles all of them", async () => {
    const id = await planned();
    now = new Date("2027-01-01T12:00:00Z");
    await runAll();
    expect(await occurrences(id)).toHaveLength(669);
    expect((await stored(id)).next_occurrence).toBe("2027-01-01");
  });
});

test("a one-time schedule runs once and is done", async () => {
  const id = await planned({ recurrence: "once", date: "2025-03-05" });
  at("05T09:00");
  await runAll();
  expect(await occurrences(id)).toEqual(["2025-03-05 started"]);
  expect(await stored(id)).toMatchObject({ next_run_at: null, next_occurrence: null });
});

test("many schedulers start each run once; paused and deleted ones run no more", async () => {
  const ids = [];
  for (let n = 0; n < 5; n += 1) ids.push(await planned());
  await planned({ active: false });
  await planned({ deleted_at: new Date() });
  at("03T09:00");
  await Promise.all(Array.from({ length: 6 }, () => runAll()));
  for (const id of ids) expect(await occurrences(id)).toEqual(["2025-03-03 started"]);
  expect(await notifications()).toHaveLength(5);
});

test("a skipped day is passed over, and the one after it runs", async () => {
  const id = await planned();
  await sql`INSERT INTO schedule_occurrences (schedule_id, occurrence, planned_for, state)
    VALUES (${id}, '2025-03-04', '2025-03-04 09:00 America/New_York', 'skipped')`.execute(database.db);
  at("03T09:00");
  await runAll();
  expect((await stored(id)).next_occurrence).toBe("2025-03-05");
  at("05T09:00");
  await runAll();
  expect(await occurrences(id)).toEqual(["2025-03-03 started", "2025-03-04 skipped", "2025-03-05 started"]);
});

describe("a change of the rule", () => {
  const change = async (id: number, values: object) => {
    await database.db.transaction().execute(async (tx) => {
      const before = await lockSchedule(tx, sql`s.id = ${id}`);
      await tx.updateTable("schedules").set(values).where("id", "=", id).execute();
      const after = await lockSchedule(tx, sql`s.id = ${id}`);
      await replan(tx, id, ruleOf(after!, "America/New_York"), { now, before: before ?? null });
    });
  };

  test("to a later time of a day that has run does not run it twice", async () => {
    const id = await planned();
    at("03T09:00");
    await runAll();
    await change(id, { time: "15:00" });
    at("03T15:00");
    await runAll();
    expect(await occurrences(id)).toEqual(["2025-03-03 started"]);
    expect(await stored(id)).toMatchObject({ next_run_at: new Date("2025-03-04T20:00:00Z") });
  });

  test("while a run is due and no one has started it loses none", async () => {
    const id = await planned();
    at("03T11:00");
    await change(id, { time: "08:30" });
    await runAll();
    expect(await occurrences(id)).toEqual(["2025-03-03 started"]);
  });

  test("of the organization's time zone moves what follows it, and nothing else", async () => {
    const [follows, fixed] = [await planned(), await planned({ zone: "America/New_York" })];
    const moved = {
      organization: async () => ({ ...(await dependencies.organization()), timeZone: "America/Los_Angeles" }),
    };
    await runAll(moved);
    expect((await stored(follows)).next_run_at).toEqual(new Date("2025-03-03T17:00:00Z"));
    expect((await stored(fixed)).next_run_at).toEqual(new Date("2025-03-03T14:00:00Z"));
  });
});

describe("a schedule that lacks something it needs", () => {
  const due = async (values: Parameters<typeof addSchedule>[1], fine = 1) => {
    const id = await planned(values);
    for (let n = 0; n < fine; n += 1) await planned();
    at("03T09:00");
    await runAll();
    return id;
  };
  const failure = (id: number) =>
    database.db
      .selectFrom("schedule_occurrences")
      .select(["state", "reason"])
      .where("schedule_id", "=", id)
      .executeTakeFirstOrThrow();

  test("its template: the run fails with the reason, which the schedule keeps, and holds up no one", async () => {
    const id = await due({ template_id: null });
    const reason = "Its template no longer exists. Choose another message.";
    expect(await failure(id)).toEqual({ state: "failed", reason });
    expect((await stored(id)).problem).toBe(reason);
    expect(await notifications()).toHaveLength(1);
    const notification_id = await addNotification(database.db);
    await database.db.updateTable("schedules").set({ notification_id }).where("id", "=", id).execute();
    at("04T09:00");
    await runAll();
    expect(await occurrences(id)).toEqual(["2025-03-03 failed", "2025-03-04 started"]);
    expect((await stored(id)).problem).toBeNull();
  });

  test("a value for one of its fields", async () => {
    const id = await due({ field_values: "{}" });
    expect(await failure(id)).toEqual({
      state: "failed",
      reason: "Fill in due date, amount before sending.",
    });
  });

  test("its only group, or everyone in it", async () => {
    const gone = { type: "group", id: 99_999_999, name: "Garden" } as const;
    const id = await due({ audienceMembers: [gone] });
    expect(await failure(id)).toEqual({
      state: "failed",
      reason: "The group “Garden” no longer exists. Choose recipients.",
    });
  });

  test("one of its groups: the run goes to the others, and the schedule says so", async () => {
    const pool = await addGroup(database.db, "Pool", {});
    const id = await due({
      audienceMembers: [
        { type: "group", id: 99_999_999, name: "Garden" },
        { type: "user", id: 99_999_998, name: "Mei Tanaka" },
        { type: "group", id: pool, name: "Pool" },
      ],
    });
    expect(await failure(id)).toEqual({ state: "started", reason: null });
    expect((await stored(id)).problem).toBe(
      "The group “Garden” and Mei Tanaka no longer exist. Runs go to the other recipients. Check them and save the schedule.",
    );
    const marked = await stored(id);
    await checkNextRuns(database.db);
    expect(await stored(id)).toEqual(marked);
    expect((await notifications()).map((row) => row.audience_text)).toEqual(["Pool", "Everyone"]);
  });

  test("the account of its channel: nothing is simulated in silence", async () => {
    const id = await due({ connected_channels: ["email"] });
    expect(await failure(id)).toEqual({
      state: "failed",
      reason:
        "Email no longer has an account, so emails would only be simulated. Connect one, or save the schedule again to run it in the Sandbox.",
    });
  });
});

test("schedules that share a template do not wait for each other", async () => {
  const id = await planned();
  at("03T09:00");
  await database.db.transaction().execute(async (tx) => {
    await sql`UPDATE templates SET updated_at = now() WHERE slug = 'rent-reminder'`.execute(tx);
    await runAll();
  });
  expect(await occurrences(id)).toEqual(["2025-03-03 started"]);
});

describe("before a run, a schedule is marked that could not start", () => {
  const look = () => checkNextRuns(database.db);
  const problem = async (id: number) => (await stored(id)).problem;
  const template = (values: { archived_at?: Date | null; content?: string }) =>
    database.db.updateTable("templates").set(values).where("slug", "=", "rent-reminder").execute();

  test("its template is archived or asks for more, and until that is put right", async () => {
    const id = await planned();
    const { content } = await database.db
      .selectFrom("templates")
      .select("content")
      .where("slug", "=", "rent-reminder")
      .executeTakeFirstOrThrow();
    await look();
    expect(await problem(id)).toBeNull();
    await template({ archived_at: now });
    await look();
    expect(await problem(id)).toBe(
      "The template “Rent Reminder” is archived. Restore it, or choose another message.",
    );
    await template({ archived_at: null, content: "Pay {{late_fee}}" });
    await look();
    expect(await problem(id)).toBe("Fill in late fee before sending.");
    await template({ content });
    await look();
    expect(await problem(id)).toBeNull();
  });

  test("its channel lost its account, or its recipients were deleted", async () => {
    const gone = [{ type: "group", id: 99_999_999, name: "Garden" } as const];
    const [channel, group] = [
      await planned({ connected_channels: ["email"] }),
      await planned({ audienceMembers: gone }),
    ];
    await look();
    expect(await problem(channel)).toContain("Email no longer has an account");
    expect(await problem(group)).toBe("The group “Garden” no longer exists. Choose recipients.");
  });

  test("but what a run has said of others stays until the next one", async () => {
    const pool = await addGroup(database.db, "Pool", { roles: ["admin"] });
    const id = await planned({ audienceMembers: [{ type: "group", id: pool, name: "Pool" }] });
    at("03T09:00");
    await runAll();
    const said = await problem(id);
    expect(said).not.toBeNull();
    await look();
    expect(await problem(id)).toBe(said);
  });
});

test("a fault that is not the schedule's leaves the run due", async () => {
  const id = await planned();
  at("03T09:00");
  const fault = new Error("the settings cannot be read");
  let asked = 0;
  const broken = {
    organization: () => {
      asked += 1;
      return asked === 1 ? dependencies.organization() : Promise.reject(fault);
    },
  };
  await expect(runNextSchedule(database.db, broken, clock)).rejects.toMatchObject({
    scheduleId: id,
    cause: fault,
  });
  expect(await occurrences(id)).toEqual([]);
  expect(await runNextSchedule(database.db, dependencies, clock, [id])).toBe(false);
  await runAll();
  expect(await occurrences(id)).toEqual(["2025-03-03 started"]);
});
