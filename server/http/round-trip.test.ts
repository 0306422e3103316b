import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import { api, endpoints } from "#contract/api.ts";
import type { BodyIn, Endpoint } from "#contract/endpoint.ts";
import { hashPassword } from "#server/features/auth/password.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";
import { addValues } from "#server/testing/values.ts";

/**
 * Every field of every create and update is sent, and read back from the reply and from the call that reads. A field
 * that is added to a body and forgotten here, or dropped on the way, fails. Every other call that takes a body says
 * below why it is not here.
 */

const exempt: Record<string, string> = {
  "POST /api/auth/login": "stores nothing of its body",
  "POST /api/auth/register": "makes the first account once; auth.test.ts reads it back",
  "POST /api/auth/password-link/{token}": "its only field is a password, which nothing reads back",
  "POST /api/profile/browsers":
    "what no one but the browser reads; push-browsers.test.ts looks where it goes",
  "POST /api/profile/password": "its fields are passwords, which nothing reads back",
  "POST /api/auth/second-step": "stores nothing of its body",
  "POST /api/auth/passkey/options": "stores nothing of its body but a choice for the sign-in",
  "POST /api/auth/passkey": "stores nothing of its body",
  "POST /api/profile/confirm-password": "a moment, whose effect confirm-password.test.ts reads back",
  "POST /api/profile/two-factor/app/confirm": "a code, which nothing reads back",
  "POST /api/profile/two-factor/passkeys": "needs a real device; passkeys.test.ts reads the name back",
  "PUT /api/profile/two-factor/passkeys/{id}": "one field, which passkeys.test.ts reads back",
  "POST /api/suppressions": "suppressions.test.ts reads it back",
  "POST /api/suppressions/confirm": "confirms what it names, which addresses.test.ts reads back",
  "POST /api/suppressions/lift": "removes what it names, which suppressions.test.ts looks for",
  "POST /api/send-notification":
    "the fields of a stored notification; sent ones are read in notifications.test.ts",
  "PATCH /api/notifications/{id}": "the same handler as PUT",
  "POST /api/notifications/{id}/send-again": "a choice about what is done, not kept",
  "POST /api/notifications/{id}/dismiss": "one field, whose effect attention.test.ts reads back",
  "POST /api/notifications/send-credentials": "a choice about what is done, not kept",
  "POST /api/settings": "one field of what PUT /api/settings stores; settings.test.ts reads each back",
  "POST /api/csv/import": "rows, of which import.test.ts reads every column back",
  "POST /api/csv/check": "a question",
  "PATCH /api/imports/{id}": "choices about a file, which imports.test.ts reads back",
  "POST /api/imports/{id}/cells": "cells, whose people imports.test.ts reads back",
  "POST /api/imports/{id}/check": "a question",
  "PUT /api/imports/{id}/leaving": "who moves out, which leaving.test.ts reads back",
  "PATCH /api/values/{id}": "choices about a file, which values.test.ts reads back",
  "POST /api/values/{id}/cells": "cells, whose rows values.test.ts reads back",
  "POST /api/values/blank.csv": "a question",
  "POST /api/audience/reach": "a question",
  "POST /api/audience/reach/left-out": "a question",
  "POST /api/audience/reach/list": "a question",
  "POST /api/audience/planned": "a question",
  "POST /api/audience/preview": "a question",
  "POST /api/audience/texts": "a question",
  "POST /api/usergroups/try-rule": "a question",
  "POST /api/details": "a name and a kind; details.test.ts reads them back",
  "PUT /api/details/{id}": "a name; details.test.ts reads it back",
  "POST /api/places/properties": "the fields of PUT; places.test.ts reads them back",
  "PUT /api/places/properties/{id}": "what a property lists; places.test.ts reads each back",
  "POST /api/places/properties/{id}/merge": "a choice about what is done; places.test.ts reads it back",
  "POST /api/places/properties/{id}/homes": "names, which places.test.ts reads back",
  "PUT /api/places/homes": "many homes at once, which places.test.ts reads back",
  "POST /api/places/homes/{id}/residents": "a resident of the home, whom places.test.ts reads back",
  "PUT /api/places/residencies/{id}": "the fields of a resident; places.test.ts reads them back",
  "POST /api/places/residencies/{id}/move": "a choice about what is done; places.test.ts reads it back",
  "POST /api/schedules/missed/dismiss": "a choice about what is done; attention.test.ts reads it back",
  "POST /api/schedules/people": "a question",
  "POST /api/schedules/preview": "a question",
  "POST /api/schedules/{id}/residents/send":
    "a choice about what is done; resident-dates.test.ts reads it back",
  "POST /api/schedules/{id}/run": "a choice about what is done, not kept",
  "POST /api/schedules/{id}/skip": "a choice about what is done; state.test.ts reads it back",
  "POST /api/schedules/{id}/unskip": "a choice about what is done; state.test.ts reads it back",
  "POST /api/integrations":
    "its secrets are read by no one; integrations.test.ts reads every other field back",
  "PUT /api/integrations/{id}": "the same fields",
  "POST /api/integrations/check": "a question",
  "POST /api/shell/seen": "a moment, whose effect shell.test.ts reads back",
  "POST /api/templates/{id}/archive": "one field, which templates.test.ts reads back",
  "POST /api/audience/send-test": "a message to oneself, which send-test.test.ts reads",
  "POST /api/templates/send-test": "a message to oneself, which templates.test.ts reads",
};

type Fields = Record<string, unknown>;
type Write<E extends Endpoint = Endpoint> = { endpoint: E; body: BodyIn<E> & Fields };
type Resource = {
  /** `briefly`: its reply is a row of the list, which shows less than is kept. */
  create?: Write & { briefly?: true };
  update: Write;
  read: (id: number) => string;
  /** How a field is read back where it is not under its own name as it was sent; null: it is not kept as such. */
  readBack: Record<string, null | ((kept: Fields, sent: unknown) => void)>;
};

const phone = (kept: Fields, sent: unknown) =>
  expect(kept["phone"]).toBe(`+1${String(sent).replaceAll(/\D/g, "")}`);
const groupIds = (kept: Fields, sent: unknown) =>
  expect(
    (kept["groups"] as { id: number; byRule: boolean }[]).filter((g) => !g.byRule).map((g) => g.id),
  ).toEqual(sent);

const attachments = (kept: Fields, sent: unknown) =>
  expect((kept["attachments"] as { id: number }[]).map(({ id }) => ({ id }))).toEqual(sent);
const audience = (kept: Fields, sent: unknown) =>
  expect((kept["audience"] as { type: string; id: number }[]).map(({ type, id }) => ({ type, id }))).toEqual(
    sent,
  );
const instant = (kept: Fields, sent: unknown) =>
  expect(Date.parse(String(kept["scheduled_time"]))).toBe(Date.parse(String(sent)));
const notificationFields = {
  recipients: audience,
  attachments,
  scheduled_time: instant,
  // Sent by their own tests: a stale one is refused.
  updatedAt: null,
  templateVersion: null,
  // A choice about what is done, not kept.
  again: null,
};

let porchlight: TestApp;
let admin: Caller;
let picked: {
  groups: number[];
  people: number[];
  templates: number[];
  files: number[];
  notification: number;
  values: number;
  detail: number;
};

beforeAll(async () => {
  porchlight = await testApp();
  const passwordHash = await hashPassword("three ripe figs!");
  admin = await porchlight.signedIn("admin", { username: "the.admin", passwordHash });
  // Without a second factor, nothing would work once the settings ask for one.
  await sql`INSERT INTO passkeys (user_id, credential_id, public_key, counter, transports, name)
    VALUES (${admin.userId}, 'an id', '', 0, '{}', 'Laptop')`.execute(porchlight.db);
  const details = await porchlight.db
    .insertInto("details")
    .values([
      { label: "Balance", field: "balance", kind: "amount" },
      { label: "Storage", field: "storage", kind: "text" },
    ])
    .returning("id")
    .execute();
  const groups = await porchlight.db
    .insertInto("user_groups")
    .values([{ name: "Garden" }, { name: "Pool" }])
    .returning("id")
    .execute();
  const templates = await porchlight.db.selectFrom("templates").select("id").orderBy("id").execute();
  const files = await porchlight.db
    .insertInto("attachment_bytes")
    .values({ sha256: Buffer.from("1"), bytes: Buffer.from("x") })
    .returning("sha256")
    .executeTakeFirstOrThrow()
    .then(({ sha256 }) =>
      porchlight.db
        .insertInto("attachments")
        .values(["plan.pdf", "list.pdf"].map((name) => ({ sha256, name, type: "application/pdf", size: 1 })))
        .returning("id")
        .execute(),
    );
  const notification = await porchlight.db
    .insertInto("notifications")
    .values({
      title: "Water",
      message_type: "custom",
      subject: "",
      content: "No water on {{day}}",
      channels: ["email"],
      audience: "[]",
      audience_text: "",
      field_values: "{}",
      status: "Draft",
      created_by_name: "Ada Byron",
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);
  picked = {
    groups: idsOf(groups),
    people: [admin.userId],
    templates: idsOf(templates),
    files: idsOf(files),
    notification: notification.id,
    detail: details[1]!.id,
    values: await addValues(porchlight.db, { [admin.userId]: { day: "Monday" } }),
  };
});
afterAll(() => porchlight.close());

const resources: Record<string, () => Resource> = {
  people: () => ({
    create: {
      endpoint: api.users.create,
      body: {
        username: "maria.lopez",
        email: "maria@example.com",
        firstName: "María",
        lastName: "López",
        phone: "(415) 555-0123",
        otherContacts: "Home: +14155550199",
        details: { balance: "12.50", storage: "S-12" },
        propertyUnit: "The Old Mill 4",
        property: "The Old Mill",
        unit: "Four",
        role: "staff",
        receiveEmail: false,
        receiveSms: false,
        receivePush: true,
        groupIds: [picked.groups[0]],
        password: "three ripe figs!",
        consentRequest: "",
        sendCredentials: false,
      },
    },
    update: {
      endpoint: api.users.update,
      body: {
        username: "maria.diaz",
        email: "diaz@example.com",
        firstName: "Mary",
        lastName: "Diaz",
        phone: "(415) 555-0124",
        otherContacts: "Work: +14155550198, ann@office.example",
        details: { balance: "-3.00", storage: "S-13" },
        propertyUnit: "Harbor House 2",
        property: "Harbor House Annex",
        unit: "2",
        role: "tenant",
        receiveEmail: true,
        receiveSms: true,
        receivePush: false,
        groupIds: [picked.groups[1]],
        password: "four ripe figs!",
        consentRequest: "Called on May 3",
        vouchFor: ["email", "phone"],
        homeChange: "corrected",
        sendCredentials: false,
      },
    },
    read: (id) => `/api/users/${id}`,
    readBack: {
      phone,
      groupIds,
      password: (kept) => expect(kept["hasPassword"]).toBe(true),
      consentRequest: (kept, value) => expect(JSON.stringify(kept["consents"])).toContain(value),
      sendCredentials: null,
      // One's own, for changes of oneself.
      currentPassword: null,
      vouchFor: (kept) => expect(kept).toMatchObject({ addressConfirmed: true, phoneConfirmed: true }),
      // What it makes of the homes, settle.test.ts reads back.
      homeChange: null,
      // Sent by its own test: a stale one is refused.
      updatedAt: null,
    },
  }),
  groups: () => ({
    create: {
      endpoint: api.groups.create,
      body: { name: "Gardeners", description: "Who waters", userIds: picked.people },
    },
    update: {
      endpoint: api.groups.update,
      body: {
        name: "Pool side",
        description: "Who swims",
        rule: { roles: ["tenant"], property: "Maple Court", unit: "1*", channel: "sms" },
      },
    },
    read: () => "/api/usergroups",
    readBack: {
      userIds: (kept, sent) => expect(kept["userCount"]).toBe((sent as number[]).length),
      createdBy: null,
      // Sent by its own test: a stale one is refused.
      updatedAt: null,
    },
  }),
  templates: () => ({
    create: {
      endpoint: api.templates.create,
      body: {
        name: "Rent",
        type: "Email",
        subject: "Rent of {{amount}}",
        content: "Pay **{{amount}}**",
        dynamicFields: ["amount", "late_fee"],
        class: "emergency",
      },
    },
    update: {
      endpoint: api.templates.update,
      body: {
        name: "Rent text",
        type: "Email",
        subject: "Rent",
        content: "Pay {{sum}}",
        dynamicFields: ["sum"],
        class: "transactional",
      },
    },
    read: (id) => `/api/templates/${id}`,
    // Sent by its own test: a stale one is refused.
    readBack: { updatedAt: null },
  }),
  "scheduled notifications": () => ({
    create: {
      endpoint: api.notifications.create,
      briefly: true,
      body: {
        title: "Water",
        content: "No water on {{day}}",
        recipients: [{ type: "group", id: picked.groups[0] ?? 0 }],
        channels: ["email", "sms"],
        status: "Scheduled",
        scheduled_time: "2099-01-02T03:04:00.000Z",
        templateId: picked.templates[0],
        fieldValues: { day: "Monday", due_date: "May 1" },
        attachments: [{ id: picked.files[0] ?? 0 }],
        class: "emergency",
        perHome: true,
        valuesId: picked.values,
        clientKey: "round-trip",
      },
    },
    update: {
      endpoint: api.notifications.update,
      body: {
        title: "Gas",
        content: "No gas on {{date}}",
        recipients: [{ type: "user", id: admin.userId }],
        type: "SMS",
        channels: ["sms"],
        status: "Scheduled",
        scheduled_time: "2099-02-03T04:05:00.000Z",
        templateId: picked.templates[1],
        fieldValues: { date: "Tuesday", work_date: "May 2" },
        attachments: [{ id: picked.files[1] ?? 0 }],
        class: "general",
        valuesId: null,
      },
    },
    read: (id) => `/api/notifications/${id}`,
    readBack: {
      ...notificationFields,
      // Of recurring ones, and of a text of one's own, below.
      formatted: null,
      recurrence: null,
      recurringDay: null,
      recurringTime: null,
    },
  }),
  "recurring notifications": () => ({
    create: {
      endpoint: api.notifications.create,
      briefly: true,
      body: {
        title: "Bins",
        content: "Bins go out tomorrow",
        formatted: true,
        recipients: [{ type: "group", id: picked.groups[0] ?? 0 }],
        channels: ["push"],
        status: "Recurring",
        recurrence: "monthly",
        recurringDay: 31,
        recurringTime: "17:30",
        fieldValues: { bin: "blue", due_date: { daysAfter: 6 } },
        attachments: [],
        class: "transactional",
        perHome: true,
        clientKey: "round-trip again",
      },
    },
    update: {
      endpoint: api.notifications.update,
      body: {
        title: "Bins again",
        content: "Bins",
        recipients: [{ type: "user", id: admin.userId }],
        type: "Email",
        channels: ["email"],
        status: "Draft",
        templateId: null,
        fieldValues: { bin: "green" },
        attachments: [],
        class: "emergency",
      },
    },
    read: (id) => `/api/notifications/${id}`,
    // A file's values are for one message.
    readBack: { ...notificationFields, scheduled_time: null, valuesId: null },
  }),
  schedules: () => ({
    create: {
      endpoint: api.schedules.create,
      body: {
        name: "Rent",
        recurrence: "weekly",
        dayOfWeek: 2,
        time: "08:15",
        endTime: "16:45",
        zone: "America/Chicago",
        active: true,
        templateId: picked.templates[0],
        recipients: [{ type: "group", id: picked.groups[0] ?? 0 }],
        channels: ["email", "sms"],
        class: "emergency",
        perHome: true,
        skipIf: { detail: picked.detail, kind: "text", is: "is", value: "S-12" },
        fieldValues: { amount: "$900", due_date: { daysAfter: 6 } },
        clientKey: "round-trip",
      },
    },
    update: {
      endpoint: api.schedules.update,
      body: {
        name: "Water",
        recurrence: "monthly",
        dayOfMonth: 31,
        time: "09:30",
        endTime: "17:00",
        zone: "America/New_York",
        active: false,
        notificationId: picked.notification,
        recipients: [{ type: "user", id: admin.userId }],
        type: "Push",
        class: null,
        skipIf: null,
        fieldValues: { day: { day: 1, monthsAfter: 1 } },
      },
    },
    read: (id) => `/api/schedules/${id}`,
    readBack: {
      recipients: audience,
      // Of one-time schedules: schedules.test.ts.
      date: null,
      // Of those by residents' dates: resident-dates.test.ts.
      residentDate: null,
      dayOffset: null,
      // Sent by its own test: a stale one is refused.
      updatedAt: null,
    },
  }),
  settings: () => ({
    update: {
      endpoint: api.settings.saveAll,
      body: {
        siteName: "Maple & Harbor",
        siteEmail: "office@example.com",
        supportEmail: "help@example.com",
        knowledgeBaseUrl: "https://example.com/handbook",
        supportCallUrl: "https://example.com/calls?team=4",
        timezone: "America/Chicago",
        country: "CA",
        defaultEmailSubject: "A note from the office",
        postalAddress: "12 Front Street",
        defaultSmsPrefix: "Maple & Harbor:",
        emailFooter: "1 Elm Street\nSpringfield",
        emailSignature: "Your team",
        trackOpens: true,
        trackClicks: true,
        enableEmail: false,
        enableSms: false,
        enablePush: false,
        registration: "open",
        passwordMinLength: 10,
        passwordExpiry: 0,
        requireSpecialChars: false,
        enableTwoFactor: true,
        sessionTimeout: 45,
        deliveryMonths: 24,
        importStop: 25,
      },
    },
    read: () => "/api/settings",
    // Read by itself: settings.test.ts.
    readBack: { companyLogo: null, before: null },
  }),
  "one's own profile": () => ({
    update: {
      endpoint: api.profile.save,
      body: {
        firstName: "Ada",
        lastName: "Byron",
        email: "ada@example.com",
        phone: "(415) 555-0125",
        currentPassword: "three ripe figs!",
      },
    },
    read: () => "/api/profile",
    // Sent by its own test: a stale one is refused.
    readBack: { phone, currentPassword: null, updatedAt: null },
  }),
  "one's own preferences": () => ({
    update: {
      endpoint: api.profile.savePreferences,
      body: { receiveEmail: false, receiveSms: false, receivePush: true },
    },
    read: () => "/api/profile",
    readBack: {},
  }),
};

const fieldsOf = (endpoint: Endpoint) => Object.keys((endpoint.body as z.ZodObject).shape);

async function write({ endpoint, body }: Write, id?: number): Promise<Fields> {
  const url = endpoint.path.replace("{id}", String(id));
  const reply = await porchlight.call({ method: endpoint.method, url, body }, admin);
  expect([reply.statusCode, reply.body]).toEqual([endpoint.status, expect.any(String)]);
  return reply.json();
}

async function read(url: string, id: number): Promise<Fields> {
  const reply = await porchlight.call({ method: "GET", url }, admin);
  const kept = reply.json<Fields | Fields[]>();
  return Array.isArray(kept) ? (kept.find((row) => row["id"] === id) ?? {}) : kept;
}

function compare(sent: Fields, kept: Fields, readBack: Resource["readBack"]): void {
  for (const [field, value] of Object.entries(sent)) {
    const how = readBack[field];
    if (how === undefined) expect({ [field]: kept[field] }).toEqual({ [field]: value });
    else how?.(kept, value);
  }
}

describe.each(Object.entries(resources))("%s", (_name, resource) => {
  test("every field that is written is read back", async () => {
    expect.hasAssertions();
    const { create, update, read: where, readBack } = resource();
    let id = admin.userId;
    if (create) {
      const made = await write(create);
      id = made["id"] as number;
      if (!create.briefly) compare(create.body, made, readBack);
      compare(create.body, await read(where(id), id), readBack);
    }
    const changed = await write(update, id);
    compare(update.body, changed, readBack);
    compare(update.body, await read(where(id), id), readBack);
  });

  test("no field of a body is forgotten", () => {
    const { create, update, readBack } = resource();
    const sent = [...Object.keys(create?.body ?? {}), ...Object.keys(update.body), ...Object.keys(readBack)];
    const fields = [...(create ? fieldsOf(create.endpoint) : []), ...fieldsOf(update.endpoint)];
    expect(fields.filter((field) => !sent.includes(field))).toEqual([]);
  });
});

test("every call that takes a body is here, or says why not", () => {
  const named = ({ method, path }: Endpoint) => `${method} ${path}`;
  const written = Object.values(resources)
    .map((resource) => resource())
    .flatMap(({ create, update }) => [...(create ? [create.endpoint] : []), update.endpoint].map(named));
  const takesBody = endpoints.filter(({ body }) => body.type !== "undefined").map(named);
  expect([...new Set([...written, ...Object.keys(exempt)])].toSorted()).toEqual(takesBody.toSorted());
});
