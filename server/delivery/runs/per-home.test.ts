import * as fc from "fast-check";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Channel, DeliveryStatus } from "#contract/delivery.ts";
import type { Reason } from "#contract/delivery-reasons.ts";
import { channelSet } from "#server/audience/person.ts";
import { reach } from "#server/audience/reach.ts";
import { leftOutByReason, reachPage } from "#server/audience/reach-page.ts";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";
import { imbalance } from "../testing/run-totals.ts";
import {
  addGroup,
  addHome,
  addPerson,
  clear,
  moveIn,
  type NotificationValues,
  send,
} from "../testing/scene.ts";
import { fanOutSome } from "./fan-out.ts";

/** One message per home: of the people of a home who are in the audience, one gets it on each channel. */

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(() => clear(database.db));
afterEach(async () => {
  const wrong = await imbalance(database.db);
  if (wrong.length > 0) throw new Error(`The counters differ from a recount: ${JSON.stringify(wrong)}`);
});
afterAll(() => database.close());

const toHomes = (values: NotificationValues = {}) => send(database.db, { ...values, perHome: true });

async function spreadAll(chunk: number): Promise<void> {
  while (!(await fanOutSome(database.db, chunk))?.done);
}

type Line = {
  id: number;
  userId: number;
  name: string;
  channel: Channel;
  address: string | null;
  status: DeliveryStatus;
  reason: Reason | null;
  detail: string | null;
  sharedWith: number | null;
};

async function lines(runId: number): Promise<Line[]> {
  const { rows } = await sql<Line>`
    SELECT id, user_id AS "userId", person_name AS name, channel, address, status, reason, detail,
      shared_with AS "sharedWith"
    FROM deliveries WHERE run_id = ${runId} ORDER BY user_id, channel`.execute(database.db);
  return rows;
}

/** "Ann: queued", "Bob: same-home of Ann". */
const told = async (runId: number) =>
  (await lines(runId)).map(({ name, status, reason, detail }) => {
    const of = reason === "same-home" || reason === "same-address" ? ` of ${detail}` : "";
    return `${name}: ${reason ?? status}${of}`.replaceAll(" Lee", "");
  });

const person = (first: string, values: Parameters<typeof addPerson>[1] = {}) =>
  addPerson(database.db, { first_name: first, ...values });

test.each([1, 100])(
  "goes to the leaseholder, though a later chunk has them, in chunks of %i",
  async (chunk) => {
    const { db } = database;
    const home = await addHome(db, "Maple Court", "4b");
    await moveIn(db, await person("Bob"), home, { role: "occupant" });
    await moveIn(db, await person("Other"), await addHome(db, "Maple Court", "5b"));
    await moveIn(db, await person("Ann"), home);
    await moveIn(db, await person("Cas"), home);
    const { runId } = await toHomes();
    await spreadAll(chunk);
    expect(await told(runId)).toEqual([
      "Bob: same-home of Ann",
      "Other: queued",
      "Ann: queued",
      "Cas: same-home of Ann",
    ]);
    const run = await db
      .selectFrom("runs")
      .select("people")
      .where("id", "=", runId)
      .executeTakeFirstOrThrow();
    expect(run.people).toBe(4);
  },
);

test("each channel goes to whoever can be reached on it, and covers who can't", async () => {
  const { db } = database;
  const home = await addHome(db, "Maple Court", "4b");
  await moveIn(db, await person("Ann", { phone: null }), home);
  await moveIn(db, await person("Bob", { email: null }), home, { role: "occupant" });
  await moveIn(db, await person("Out", { channels: channelSet(["sms"]) }), home);
  const { runId } = await toHomes({ channels: ["email", "sms"] });
  await spreadAll(100);
  expect(await told(runId)).toEqual([
    "Ann: queued",
    "Ann: same-home of Out",
    "Bob: same-home of Ann",
    "Bob: same-home of Out",
    "Out: opted-out",
    "Out: queued",
  ]);
});

test("who has no home of their own gets their own, and without the option everyone does", async () => {
  const { db } = database;
  const [home, whole] = [await addHome(db, "Maple Court", "4b"), await addHome(db, "Oak Park", "")];
  await moveIn(db, await person("Ann"), home);
  await moveIn(db, await person("Staff", { role: "staff" }), home);
  await moveIn(db, await person("Owner"), home, { role: "owner" });
  await moveIn(db, await person("Whole"), whole);
  await moveIn(db, await person("Property"), whole);
  await person("Homeless");
  const { runId } = await toHomes();
  await spreadAll(2);
  const queued = ["Ann", "Staff", "Owner", "Whole", "Property", "Homeless"].map((name) => `${name}: queued`);
  expect(await told(runId)).toEqual(queued);

  await moveIn(db, await person("Bob"), home);
  const plain = await send(db);
  await spreadAll(100);
  expect(await told(plain.runId)).toEqual([...queued, "Bob: queued"]);
});

test("of two homes it is the one that the person's details name", async () => {
  const { db } = database;
  const [first, second] = [await addHome(db, "Maple Court", "1a"), await addHome(db, "Maple Court", "2a")];
  const ann = await person("Ann");
  await moveIn(db, ann, second, { shown: false });
  await moveIn(db, ann, first);
  await moveIn(db, await person("Bob"), first);
  await moveIn(db, await person("Cas"), second);
  const { runId } = await toHomes();
  await spreadAll(100);
  expect(await told(runId)).toEqual(["Ann: queued", "Bob: same-home of Ann", "Cas: queued"]);
});

test("only people of the audience count, and one address still gets one message", async () => {
  const { db } = database;
  const [first, second] = [await addHome(db, "Maple Court", "1a"), await addHome(db, "Maple Court", "2a")];
  await moveIn(db, await person("Not"), first);
  const company = "company@example.com";
  const ids = [
    await person("Ann", { email: company }),
    await person("Bob"),
    await person("Cas", { email: company }),
    await person("Dee"),
  ];
  for (const [place, id] of ids.entries()) {
    await moveIn(db, id, place < 2 ? first : second, { role: place % 2 === 0 ? "leaseholder" : "occupant" });
  }
  const group = await addGroup(db, "Some", null, ids);
  const { runId } = await toHomes({ audience: [{ type: "group", id: group, name: "Some" }] });
  await spreadAll(1);
  expect(await told(runId)).toEqual([
    "Ann: queued",
    "Bob: same-home of Ann",
    "Cas: same-address of Ann",
    "Dee: same-home of Cas",
  ]);
  const [holder, ...others] = await lines(runId);
  for (const other of others) expect(other.sharedWith).toBe(holder!.id);
});

test("someone who moves while it is spread is in the home of their chunk's moment", async () => {
  const { db } = database;
  const [first, second] = [await addHome(db, "Maple Court", "1a"), await addHome(db, "Maple Court", "2a")];
  await moveIn(db, await person("Ann"), first, { role: "occupant" });
  const [late, gone] = [await person("Late"), await person("Gone")];
  await moveIn(db, gone, second);
  await moveIn(db, await person("Dee"), second, { role: "occupant" });
  const { runId } = await toHomes();
  await fanOutSome(db, 1);
  // In a home that has its message.
  await moveIn(db, late, first, { role: "leaseholder" });
  await sql`DELETE FROM residencies WHERE person_id = ${gone}`.execute(db);
  await spreadAll(1);
  expect(await told(runId)).toEqual(["Ann: queued", "Late: same-home of Ann", "Gone: queued", "Dee: queued"]);
});

test("a chunk done twice adds nothing", async () => {
  const { db } = database;
  const home = await addHome(db, "Maple Court", "4b");
  for (const name of ["Ann", "Bob", "Cas"]) await moveIn(db, await person(name), home);
  const { runId } = await toHomes();
  await fanOutSome(db, 1);
  await sql`UPDATE runs SET fanout_cursor = 0`.execute(db);
  await spreadAll(1);
  expect(await told(runId)).toEqual(["Ann: queued", "Bob: same-home of Ann", "Cas: same-home of Ann"]);
});

const someone = fc.record({
  /** The last one is a property without its units. */
  home: fc.option(fc.integer({ min: 0, max: 3 })),
  role: fc.constantFrom("leaseholder" as const, "occupant" as const, "owner" as const),
  email: fc.constantFrom("own", "own", "own", "a@example.com", "b@example.com", "odd", null),
  phone: fc.constantFrom("own", "own", null),
  channels: fc.constantFrom<Channel[]>(["email", "sms"], ["email", "sms"], ["email"], ["sms"]),
});
type Someone = typeof someone extends fc.Arbitrary<infer One> ? One : never;

/** What the model knows: the home whose message is theirs, and why they can't get one of their own. */
const homeOf = ({ home, role }: Someone) => (home === 3 || role === "owner" ? null : home);
function obstacle({ email, phone, channels }: Someone, channel: Channel): Reason | null {
  if (!channels.includes(channel)) return "opted-out";
  if (channel === "sms") return phone === null ? "no-phone" : null;
  if (email === null) return "no-email";
  return email === "odd" ? "invalid-email" : null;
}

test("each home with anyone who can be reached gets exactly one message on each channel, from whoever is first", async () => {
  const { db } = database;
  const cases = fc.asyncProperty(
    fc.array(someone, { minLength: 1, maxLength: 9 }),
    fc.integer({ min: 1, max: 5 }),
    async (people, chunk) => {
      await clear(db);
      const homes = await Promise.all(["1", "2", "3", ""].map((key) => addHome(db, `Court ${key}`, key)));
      const ids: number[] = [];
      for (const [place, one] of people.entries()) {
        const { home, role, email, phone, channels } = one;
        const id = await addPerson(db, {
          first_name: `P${place}`,
          ...(email !== "own" && { email }),
          ...(phone !== "own" && { phone }),
          channels: channelSet(channels),
        });
        ids.push(id);
        if (home !== null) await moveIn(db, id, homes[home]!, { role });
      }
      const { runId } = await toHomes({ channels: ["email", "sms"] });
      await spreadAll(chunk);
      const found = await lines(runId);
      expect(found).toHaveLength(2 * people.length);
      for (const channel of ["email", "sms"] as const) {
        const own = people.map((_, place) =>
          found.find((line) => line.userId === ids[place] && line.channel === channel),
        ) as Line[];
        for (const [place, one] of people.entries()) {
          const line = own[place]!;
          const why = obstacle(one, channel);
          const home = homeOf(one);
          const ways = people
            .map((other, at) => ({ other, at }))
            .filter(
              ({ other }) => home !== null && homeOf(other) === home && obstacle(other, channel) === null,
            );
          const first = ways.find(({ other }) => other.role === "leaseholder") ?? ways[0];
          if (why === "opted-out" || (!first && why !== null)) {
            expect(line).toMatchObject({ status: "skipped", reason: why });
          } else if (!first || first.at === place) {
            if (line.reason === null) expect(line.status).toBe("queued");
            else expect(line.reason).toBe("same-address");
          } else {
            const head = own[first.at]!;
            expect(line).toMatchObject({ status: "skipped", reason: "same-home", detail: head.name });
            expect(line.sharedWith).toBe(head.sharedWith ?? head.id);
          }
        }
        const sent = own.filter(({ status }) => status === "queued").map(({ address }) => address);
        expect(new Set(sent).size).toBe(sent.length);
      }
      expect(await imbalance(db)).toEqual([]);

      // What is said before it is sent.
      const everyone = [{ type: "group" as const, id: await addGroup(db, "Everyone", {}) }];
      const question = { audience: everyone, channels: ["email", "sms"] as Channel[], perHome: true };
      const answer = await reach(db, question);
      const page = await reachPage(db, { ...question, only: "all", page: 1, pageSize: 100 });
      const leftOut = await leftOutByReason(db, question);
      const told = new Set(people.flatMap((one) => homeOf(one) ?? []));
      expect(answer).toMatchObject({ people: people.length, homes: told.size });
      for (const channel of question.channels) {
        const count = (reason: Reason | null) =>
          found.filter((line) => line.channel === channel && line.reason === reason).length;
        expect(answer.byChannel[channel].willGet).toBe(count(null));
        for (const reason of new Set(found.map((line) => line.reason))) {
          const listed = page.rows.filter((row) => row.channel === channel && row.reason === reason);
          expect(listed).toHaveLength(count(reason));
          const left = leftOut.find((row) => row.channel === channel && row.reason === reason);
          if (reason !== null) expect(left?.people ?? 0).toBe(count(reason));
        }
      }
      const reached = found.filter(({ status, sharedWith }) => status === "queued" || sharedWith !== null);
      expect(answer.reached).toBe(new Set(reached.map(({ userId }) => userId)).size);
    },
  );
  await fc.assert(cases, { numRuns: 25 });
});
