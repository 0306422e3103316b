import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type * as z from "zod";
import { api } from "#contract/api.ts";
import type { BodyIn, Endpoint } from "#contract/endpoint.ts";
import { type Caller, type TestApp, testApp } from "#server/testing/app.ts";

/**
 * Every field of every create and update is sent, and read back from the reply and from the call that reads. A field
 * that is added to a body and forgotten here, or dropped on the way, fails.
 */

type Fields = Record<string, unknown>;
type Write<E extends Endpoint = Endpoint> = { endpoint: E; body: BodyIn<E> & Fields };
type Resource = {
  create?: Write;
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

let porchlight: TestApp;
let admin: Caller;
let picked: { groups: number[]; people: number[] };

beforeAll(async () => {
  porchlight = await testApp();
  admin = await porchlight.signedIn("admin", { username: "the.admin" });
  const groups = await porchlight.db
    .insertInto("user_groups")
    .values([{ name: "Garden" }, { name: "Pool" }])
    .returning("id")
    .execute();
  picked = { groups: groups.map(({ id }) => id), people: [admin.userId] };
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
        propertyUnit: "The Old Mill 4",
        property: "The Old Mill",
        unit: "Four",
        role: "staff",
        receiveEmail: false,
        receiveSms: false,
        receivePush: true,
        groupIds: [picked.groups[0]],
        password: "three ripe figs!",
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
        propertyUnit: "Harbor House 2",
        property: "Harbor House Annex",
        unit: "2",
        role: "tenant",
        receiveEmail: true,
        receiveSms: true,
        receivePush: false,
        groupIds: [picked.groups[1]],
        password: "four ripe figs!",
        sendCredentials: false,
      },
    },
    read: (id) => `/api/users/${id}`,
    readBack: {
      phone,
      groupIds,
      password: (kept) => expect(kept["hasPassword"]).toBe(true),
      sendCredentials: null,
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
  "one's own profile": () => ({
    update: {
      endpoint: api.profile.save,
      body: { firstName: "Ada", lastName: "Byron", email: "ada@example.com", phone: "(415) 555-0125" },
    },
    read: () => "/api/profile",
    readBack: { phone },
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
      compare(create.body, made, readBack);
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
