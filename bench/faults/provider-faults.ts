import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { EmulatedCall, Received } from "#emulators/emulator.ts";
import { postmarkEmulator } from "#emulators/postmark.ts";
import type { ProviderKind } from "./accounts.ts";
import type { Fault } from "./fault.ts";
import type { World } from "./world.ts";

const people = { small: 300, large: 10_000 };

/** What providers do. */
export const providerFaults: readonly Fault[] = [
  { name: "a provider that throttles", provider: "postmark", people, run: throttles },
  { name: "a provider that fails in part", provider: "postmark", people, run: failsInPart },
  ...(["onesignal", "postmark", "sendgrid"] as const).map((provider) => losesAnswers(provider)),
  {
    name: "every receipt 50 times and before our commit",
    provider: "postmark",
    people: { small: 40, large: 400 },
    run: earlyReceipts,
  },
  {
    name: "one poisoned recipient in a batch of 1,000",
    provider: "sendgrid",
    people: { small: 1000, large: 10_000 },
    run: poisoned,
  },
  { name: "a wrong key in the middle of a run", provider: "postmark", people, run: wrongKey },
];

async function begin(world: World, count: number): Promise<void> {
  await Promise.all([world.start(), world.start()]);
  await world.connected();
  await world.send(count);
  await world.arrivals(1);
}

async function throttles(world: World, count: number): Promise<string> {
  const { faults } = world.provider;
  const rounds = world.large ? 20 : 3;
  faults.throttleSeconds = 1;
  await Promise.all([world.start(), world.start()]);
  await world.until(sql`SELECT FROM accounts WHERE source = 'environment' AND state <> 'unchecked'`);
  await world.send(count);
  for (let round = 0; round < rounds; round += 1) {
    faults.throttleSeconds = 1;
    await sleep(700);
    faults.throttleSeconds = null;
    await sleep(700);
    if (round + 1 < rounds) await world.send();
  }
  await world.finished({ waiting: true });
  const { failures } = await world.ask(sql<{ failures: number }>`
    SELECT coalesce(sum(failures), 0)::int AS failures FROM deliveries`);
  if (failures > 0) throw new Error("A throttled message lost a try.");
  return `${rounds} rounds.`;
}

/** A third of all requests fail, and one recipient in fifty is refused. */
async function failsInPart(world: World, count: number): Promise<string> {
  const { provider } = world;
  let requests = 0;
  provider.interfere = ({ method }) => {
    requests += 1;
    return method === "POST" && requests % 3 === 0
      ? { status: 500, body: postmarkEmulator.refusal(500) }
      : undefined;
  };
  await world.start();
  await world.connected();
  await world.addPeople(count);
  await refuse(world, sql`id % 50 = 0`);
  await world.send();
  await world.finished();
  return `${provider.refused.size} refused.`;
}

async function refuse({ db, provider }: World, which: ReturnType<typeof sql>): Promise<void> {
  const { rows } = await sql<{ email: string }>`SELECT email FROM users WHERE ${which}`.execute(db);
  for (const { email } of rows) provider.refused.add(email);
}

/** Messages are accepted, but the answers never come. */
function losesAnswers(provider: ProviderKind): Fault {
  return {
    name: `answers lost after acceptance, ${provider}`,
    provider,
    people,
    async run(world, count) {
      const { faults } = world.provider;
      // One after the other: the second process would test the account again, perhaps while answers are lost.
      await world.start();
      await world.connected();
      await world.start();
      for (let left = world.large ? 5 : 1; left > 0; left -= 1) {
        faults.dropAnswers = true;
        await world.send(world.provider.arrived.length === 0 ? count : 0);
        await world.until(() => world.provider.unanswered > 0);
        await sleep(1500);
        faults.dropAnswers = false;
        await world.finished();
      }
      return `${world.provider.unanswered} answers lost.`;
    },
  };
}

/** The receipt is there before the answer to the request, forty-nine times more, and once more after the end. */
async function earlyReceipts(world: World, count: number): Promise<string> {
  const COPIES = 50;
  const url = await world.webhook();
  const calls = new Map<Received, EmulatedCall>();
  const report = async (message: Received) => {
    const call = calls.get(message) ?? postmarkEmulator.report?.(message, "delivered", url);
    if (!call) throw new Error("Postmark reports nothing.");
    calls.set(message, call);
    const reply = await fetch(call.url, { method: "POST", headers: call.headers, body: call.body });
    if (!reply.ok) throw new Error(`A receipt was answered with ${reply.status}`);
  };
  world.provider.onArrival = async (messages) => {
    for (let copy = 1; copy < COPIES; copy += 1) await Promise.all(messages.map(report));
  };
  await begin(world, count);
  await world.finished();
  for (const message of world.provider.arrived) await report(message);
  await world.until(sql`SELECT WHERE NOT EXISTS (SELECT FROM receipts WHERE processed_at IS NULL)`);
  await world.until(sql`SELECT FROM deliveries WHERE status = 'delivered' HAVING count(*) = ${count}`);
  const { receipts } = await world.ask(
    sql<{ receipts: number }>`SELECT count(*)::int AS receipts FROM receipts`,
  );
  if (receipts !== count) throw new Error(`${receipts} receipts are stored for ${count} messages.`);
  return `${count * COPIES} receipts.`;
}

/** First the provider says who it is, then it only says that it takes nothing. */
async function poisoned(world: World, count: number): Promise<string> {
  const { provider } = world;
  await world.addPeople(count);
  await refuse(world, sql`id = (SELECT min(id) + 500 FROM users)`);
  const [culprit = ""] = provider.refused;
  let requests = 0;
  let names = true;
  provider.interfere = ({ method, body }) => {
    requests += Number(method === "POST");
    if (names || !body.includes(culprit)) return undefined;
    return { status: 400, body: { errors: [{ message: "Bad Request", field: null, help: null }] } };
  };
  await world.start();
  await world.connected();
  await world.send();
  await world.finished();
  names = false;
  await sql`DELETE FROM suppressions`.execute(world.db);
  await world.send();
  await world.finished();
  return `${requests} requests for ${2 * count} messages.`;
}

async function wrongKey(world: World, count: number): Promise<string> {
  const { faults } = world.provider;
  await begin(world, count);
  faults.refuseKey = true;
  // Whatever is already over waits for no key.
  await world.send();
  await world.until(sql`SELECT FROM accounts WHERE source = 'environment' AND state = 'paused'`);
  const { reason } = await world.ask(sql<{ reason: string }>`
    SELECT state_reason AS reason FROM accounts WHERE state = 'paused'`);
  for (let tries = 0; tries < 5; tries += 1) await world.passTime();
  faults.refuseKey = false;
  await world.finished();
  return reason;
}
