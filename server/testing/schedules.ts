import type { LightMyRequestResponse } from "fastify";
import type { Schedule, ScheduleRun } from "#contract/calls/schedule-replies.ts";
import { runNextSchedule } from "#server/delivery/schedules/scheduler.ts";
import { readOrganization } from "#server/features/settings/organization.ts";
import { type Caller, insertPerson, type TestApp, testApp } from "#server/testing/app.ts";

type Method = "GET" | "POST" | "PUT" | "DELETE";

export type ScheduleApp = {
  porchlight: TestApp;
  staff: Caller;
  call: (method: Method, path: string, body?: object) => Promise<LightMyRequestResponse>;
  /** The rent reminder for All Tenants by email, daily at nine, unless said otherwise. */
  create: (more?: object) => Promise<Schedule>;
  read: (id: number) => Promise<Schedule>;
  runs: (path: string) => Promise<ScheduleRun[]>;
  /** Makes it a clock time of New York, "2026-11-25T09:00", and lets the scheduler do what is due. */
  moveClock: (local: string) => Promise<void>;
};

export const rent = {
  name: "Rent due tomorrow",
  templateId: "rent-reminder",
  fieldValues: { amount: "$1,200", due_date: { day: 1, monthsAfter: 1 } },
  time: "09:00",
  recipients: "All Tenants",
};

/** The web role on a clock that a test moves, at ten on Tuesday, 24 November 2026, in New York, with one tenant. */
export async function scheduleApp(): Promise<ScheduleApp> {
  let now = new Date();
  const setClock = (local: string) => {
    now = new Date(Temporal.ZonedDateTime.from(`${local}[America/New_York]`).epochMilliseconds);
  };
  setClock("2026-11-24T10:00");
  const porchlight = await testApp({ now: () => now });
  const staff = await porchlight.signedIn("staff", { firstName: "Ada", lastName: "Byron" });
  await insertPerson(porchlight.db, {
    firstName: "Luis",
    lastName: "Ortega",
    propertyUnit: "Maple Court 4B",
  });
  const call: ScheduleApp["call"] = (method, path, body) =>
    porchlight.call({ method, url: `/api/schedules${path}`, body }, staff);
  return {
    porchlight,
    staff,
    call,
    async create(more = {}) {
      const reply = await call("POST", "", { ...rent, ...more });
      if (reply.statusCode !== 201) throw new Error(reply.body);
      return reply.json<Schedule>();
    },
    async read(id) {
      return (await call("GET", `/${id}`)).json<Schedule>();
    },
    async runs(path) {
      return (await call("GET", path)).json<ScheduleRun[]>();
    },
    async moveClock(local) {
      setClock(local);
      const clock = () => Promise.resolve(now);
      while (await runNextSchedule(porchlight.db, { organization: readOrganization }, clock));
    },
  };
}
