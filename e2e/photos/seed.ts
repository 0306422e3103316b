import { expect } from "@playwright/test";
import { csv } from "#contract/calls/csv.ts";
import { groups } from "#contract/calls/groups.ts";
import { integrations } from "#contract/calls/integrations.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { places } from "#contract/calls/places.ts";
import { schedules } from "#contract/calls/schedules.ts";
import { settings } from "#contract/calls/settings.ts";
import { suppressions } from "#contract/calls/suppressions.ts";
import { users } from "#contract/calls/users.ts";
import { dayAfter } from "#contract/homes.ts";
import type { StaffedSystem } from "../system.ts";

/** What shots open by its id. */
export type Seeded = {
  sent: number;
  failed: number;
  planned: number;
  draft: number;
  /** Someone with a right-to-left name. */
  salma: number;
  /** Someone whose details are as long as they may be. */
  longest: number;
  /** Someone who got messages. */
  mei: number;
  group: number;
  schedule: number;
  /** A property with two buildings, and a home in it that someone moves out of and another person into. */
  property: number;
  home: number;
};

const firstNames = ["Mei", "Jon", "Zoë", "Ann", "Max", "Ravi", "Lena", "Luis", "Dana", "Omar"];
const lastNames = ["Tanaka", "Silva", "Ash", "Cox", "Ortega", "Whitfield", "Haddad", "Raman", "Berg"];
const properties = ["Maple Court", "Harbor View", "Cedar Lofts"];

const tenants = Array.from({ length: 64 }, (_, n) => ({
  username: `tenant${n}`,
  firstName: firstNames[n % firstNames.length],
  lastName: `${lastNames[n % lastNames.length]}`,
  email: n % 9 === 3 ? "" : `tenant${n}@example.com`,
  phone: n % 4 === 1 ? "" : `(415) 555-${String(1000 + n)}`,
  role: n % 20 === 7 ? "staff" : "tenant",
  propertyUnit: `${properties[n % 3]}, Unit ${1 + Math.floor(n / 12)}${"ABCDEF"[n % 6]}`,
  receiveEmail: n % 11 === 5 ? "false" : "true",
}));

/** Two buildings with floors and stacks, in which some homes are empty. */
const garden = ["A", "B"].flatMap((building) =>
  [1, 2, 3, 4, 5].flatMap((floor) => [1, 2, 3, 4, 5, 6].map((stack) => `${building}-${floor}0${stack}`)),
);
const gardeners = garden
  .filter((_, n) => n % 11 !== 4)
  .map((unit, n) => ({
    username: `garden${n}`,
    firstName: firstNames[(n * 3) % firstNames.length],
    lastName: `${lastNames[(n * 5) % lastNames.length]}`,
    email: n % 9 === 3 || n % 13 === 5 ? "" : `garden${n}@example.com`,
    phone: n % 4 === 1 || n % 13 === 5 ? "" : `(415) 555-${String(2000 + n)}`,
    role: "tenant",
    propertyUnit: `Garden Row, ${unit}`,
  }));

const longName = "Maximiliana-Konstantinopoulou von Hohenstaufen-Sigmaringen";
const unusual = [
  {
    username: "salma",
    firstName: "سلمى",
    lastName: "الأنصاري",
    email: "salma@example.com",
    phone: "(415) 555-1901",
    propertyUnit: "Maple Court, Unit 9A",
  },
  {
    username: "maximiliana.konstantinopoulou.von.hohenstaufen",
    firstName: longName,
    lastName: "Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh",
    email: "maximiliana.konstantinopoulou.von.hohenstaufen.sigmaringen@a-very-long-company-name.example.com",
    phone: "(415) 555-1902",
    propertyUnit: "The Residences at Upper Harbor View North Tower, Penthouse Apartment 4711B (garden side)",
  },
  {
    username: "noam",
    firstName: "נועם",
    lastName: "בן־דוד",
    email: "noam@example.com",
    phone: "",
    propertyUnit: "",
  },
];

const longTitle =
  "Elevator modernization in the north and south towers: what happens when, and how to reach your apartment meanwhile";
const DAY = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY).toISOString();

/** Fills an empty system with everything that its screens can show. */
export async function seed({ call, mail, passWeek }: StaffedSystem): Promise<Seeded> {
  await call(settings.saveAll, { body: { siteName: "Maple & Harbor", siteEmail: "office@example.com" } });
  await call(csv.import, { body: [...tenants, ...unusual, ...gardeners] });
  const { property, home } = await fillGarden(call);
  const idOf = async (username: string) => (await call(users.list, { query: { q: username } }))[0]?.id ?? 0;
  const salma = await idOf("salma@example.com");
  const longest = await idOf("maximiliana");
  const mei = await idOf("tenant0@");
  const board = await call(groups.create, {
    body: {
      name: "Residents' board",
      description: "Meets on the first Monday",
      userIds: [salma, mei, longest],
    },
  });
  await call(groups.create, {
    body: { name: "Harbor View, fifth floor", rule: { property: "Harbor View", unit: "5*" } },
  });
  await call(groups.create, {
    body: {
      name: "Everyone in the north wing of Upper Harbor View who asked for updates about the elevator works",
      description:
        "A description that goes on and on, because someone wanted to be very clear about who is in here and why that is so, and never found the end of it.",
      userIds: [mei],
    },
  });
  await call(suppressions.block, {
    body: { channel: "email", address: "tenant12@example.com", reason: "Asked by phone" },
  });
  await call(suppressions.block, {
    body: { channel: "sms", address: "(415) 555-1020", reason: "Wrong number" },
  });

  mail.refuse("tenant6@example.com", "550 5.1.1 No such user here");
  mail.refuse("tenant8@example.com", "550 5.2.2 The mailbox is full");
  const all = { recipients: ["All Tenants"], channels: ["email", "sms"] };
  const send = async (body: Record<string, unknown>) => (await call(notifications.send, { body })).id;
  const letter =
    "Hello {{first_name}},\n\nThe water in {{property_name}} is off on Friday from 9 to 11 AM.\n\nKind regards,\nYour team";
  // First, because her address is blocked once a message has come back.
  const failed = await send({
    title: "Parcel at the desk",
    message: "A parcel is waiting.",
    recipients: [{ type: "user", id: await idOf("tenant6@") }],
    channels: ["email"],
  });
  const sent = await send({ ...all, title: "Water shut-off on Friday", message: letter });
  await send({ ...all, title: longTitle, message: letter, channels: ["email", "sms", "push"] });
  await send({
    title: "תזכורת: אסיפת דיירים ביום שני",
    message: letter,
    recipients: [{ type: "user", id: salma }],
    channels: ["email"],
  });
  for (const title of ["Fire alarm test", "Garage gate repaired", "Window cleaning next week"]) {
    await send({ title, message: letter, recipients: [{ type: "group", id: board.id }], channels: ["sms"] });
  }
  const tess = { type: "user", id: await idOf("tess.lindqvist") };
  for (const title of ["Welcome to Maple Court", longTitle, "Parcel at the desk"]) {
    await send({ title, message: letter, recipients: [tess], channels: ["email", "sms"] });
  }
  const create = async (body: Record<string, unknown>) => (await call(notifications.create, { body })).id;
  const draft = await create({
    title: "Summer party",
    content: "",
    status: "Draft",
    recipients: ["Everyone"],
    channels: [],
  });
  const planned = await create({
    ...all,
    title: "Heating check",
    content: letter,
    status: "Scheduled",
    scheduled_time: inDays(3),
  });
  await create({
    title: "Staff meeting",
    content: "Agenda.",
    status: "Recurring",
    recurrence: "weekly",
    recurringDay: 3,
    recurringTime: "14:00",
    recipients: ["All Staff"],
    channels: ["email"],
  });

  const plan = async (body: Record<string, unknown>) =>
    (await call(schedules.create, { body: { recipients: ["All Tenants"], ...body } })).id;
  const rent = {
    templateId: "rent-reminder",
    fieldValues: { amount: "$1,450", due_date: { day: 1, monthsAfter: 1 } },
  };
  const news = (announcement: string) => ({
    templateId: "general-announcement",
    fieldValues: { headline: "News", announcement },
  });
  const schedule = await plan({
    ...rent,
    name: "Monthly rent reminder",
    recurrence: "monthly",
    dayOfMonth: 28,
    time: "09:00",
    channels: ["email", "sms"],
  });
  await plan({
    ...news("Bins out tonight."),
    name: "Trash pickup",
    recurrence: "weekly",
    dayOfWeek: 2,
    time: "18:00",
    endTime: "21:00",
  });
  await plan({
    ...news("No glass at the pool."),
    name: "Pool rules",
    recurrence: "daily",
    time: "23:30",
    endTime: "23:59",
  });
  await plan({
    ...news("Quiet hours."),
    name: "Quiet hours",
    recurrence: "weekly",
    dayOfWeek: 5,
    time: "20:00",
    endTime: "22:00",
    active: false,
  });
  await plan({
    ...news("Lights."),
    name: `${longTitle}, every evening`,
    recurrence: "daily",
    time: "23:45",
    endTime: "23:59",
  });
  const missed = await plan({
    ...news("Inspection."),
    name: "Weekly inspection",
    recurrence: "weekly",
    dayOfWeek: new Date(Date.now() - DAY).getDay(),
    time: "08:00",
    endTime: "10:00",
  });
  await passWeek(missed);

  await call(integrations.create, {
    body: {
      channel: "sms",
      kind: "twilio",
      name: "Twilio",
      enabled: false,
      settings: { accountSid: `AC${"0".repeat(32)}`, authToken: "none", fromNumber: "+14155550100" },
    },
  });
  await expect
    .poll(async () => (await call(notifications.detail, { params: { id: sent } })).status, {
      timeout: 60_000,
    })
    .toMatch(/Delivered/);
  await expect
    .poll(async () => (await call(schedules.missed)).length, { timeout: 60_000 })
    .toBeGreaterThan(0);
  return { sent, failed, planned, draft, salma, longest, mei, group: board.id, schedule, property, home };
}

/** A property with an address, homes that are still empty, and moves. */
async function fillGarden(call: StaffedSystem["call"]): Promise<Pick<Seeded, "property" | "home">> {
  const [row] = await call(places.list, { query: { q: "Garden Row" } });
  const params = { id: row?.id ?? 0 };
  await call(places.update, { params, body: { address: "2–48 Garden Row, Eastmere, NY" } });
  await call(places.addHomes, { params, body: { names: [...garden, "Office"] } });
  const { homesListed, today } = await call(places.property, { params });
  const homeIn = (name: string) => homesListed.find((one) => one.name === name)?.id ?? 0;
  const home = homeIn("A-204");
  const { residents } = await call(places.home, { params: { id: home } });
  await call(places.changeResidency, {
    params: { id: residents[0]?.id ?? 0 },
    body: { firstDay: "2024-12-01", lastDay: dayAfter(today, 3), leaseEnds: dayAfter(today, 3) },
  });
  const [coming, owner] = await call(users.list, { query: { q: "Zoë" } });
  await call(places.moveIn, {
    params: { id: home },
    body: { personId: coming?.id ?? 0, firstDay: dayAfter(today, 4), leaseEnds: dayAfter(today, 369) },
  });
  await call(places.moveIn, { params: { id: home }, body: { personId: owner?.id ?? 0, role: "owner" } });
  return { property: params.id, home };
}
