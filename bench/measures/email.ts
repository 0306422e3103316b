import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Attachment } from "#contract/calls/attachments.ts";
import type { ValuesOverview } from "#contract/calls/values.ts";
import { person, slots } from "../message.ts";
import { delivered, groupNamed, importPeople, send, type World } from "../product.ts";
import { now } from "../sink-process.ts";
import { count, type Row } from "../table.ts";
import { throughConnections, throughPool, type Peer } from "../through-nodemailer.ts";
import type { Bench } from "./measure.ts";

/** `runs`: how many notifications follow each other. `values`: another one has a file with a value for each person. */
type Setting = {
  messages: number;
  connections: number;
  runs?: number;
  values?: boolean;
  delayMs?: number;
  attachment?: Buffer;
};

/**
 * Messages a second; `porchlight`: in each run, the first of them right after the import. `memory`: the process's
 * megabytes in the first half of a run, and in the second.
 */
type Rates = { porchlight: readonly number[]; pool: number; bare: number; memory: [number, number] };

const ATTACHED_BYTES = 200 * 1024;
const DELAY_MS = 20;
/** The next message's envelope travels behind a content: RFC 2920. */
const ROUND_TRIPS = 1;

export async function email(bench: Bench): Promise<Row[]> {
  const { messages } = bench;
  const twenty = await compare(bench, { messages, connections: 20, runs: 2, values: true });
  const five = await compare(bench, { messages, connections: 5, runs: 2 });
  return [
    besidePool("Email, 20 connections ÷ nodemailer's pool", twenty, 3),
    besidePool("The next run ÷ nodemailer's pool, 20 connections", twenty, 3, 1),
    besidePool("Email, 5 connections ÷ nodemailer's pool", five, 2),
    besidePool("The next run ÷ nodemailer's pool, 5 connections", five, 2, 1),
    {
      what: "Email, 20 connections ÷ bare SMTPConnection loop",
      figure: `${count(twenty.porchlight[0]!)} and ${count(twenty.bare)} emails/s`,
      value: twenty.porchlight[0]! / twenty.bare,
      unit: "x",
      aim: { atLeast: 0.4 },
    },
    {
      what: "The next run with a value for each person ÷ without",
      figure: `${count(twenty.porchlight[2]!)} and ${count(twenty.porchlight[1]!)} emails/s`,
      value: twenty.porchlight[2]! / twenty.porchlight[1]!,
      unit: "x",
      aim: { atLeast: 0.9 },
    },
  ];
}

export async function slowServer(bench: Bench): Promise<Row[]> {
  const connections = 20;
  const rates = await compare(bench, { messages: bench.messages, connections, delayMs: DELAY_MS });
  const most = connections / ((ROUND_TRIPS * DELAY_MS) / 1000);
  return [
    besidePool("Email, answers after 20 ms ÷ nodemailer's pool", rates, 2),
    {
      what: "Email, answers after 20 ms ÷ connections ÷ (1 round trip × 20 ms)",
      figure: `${count(rates.porchlight[0]!)} and ${count(most)} emails/s`,
      value: rates.porchlight[0]! / most,
      unit: "x",
      aim: { atLeast: 0.8 },
    },
  ];
}

export async function attachment(bench: Bench): Promise<Row[]> {
  const attached = Buffer.concat([
    Buffer.from("%PDF-1.4\n"),
    randomBytes(ATTACHED_BYTES),
    Buffer.from("\n%%EOF"),
  ]);
  const messages = Math.ceil(bench.messages / 5);
  const rates = await compare(bench, { messages, connections: 20, attachment: attached });
  const megabytes = (rate: number) => `${count((rate * attached.length * 4) / 3 / 1e6)} MB/s`;
  return [
    {
      what: "Email with 200 KB attached ÷ nodemailer's pool",
      figure: `${count(rates.porchlight[0]!)} and ${count(rates.pool)} emails/s`,
      value: rates.porchlight[0]! / rates.pool,
      unit: "x",
    },
    {
      what: "Email with 200 KB attached ÷ bare SMTPConnection loop (bytes)",
      figure: `${megabytes(rates.porchlight[0]!)} and ${megabytes(rates.bare)}`,
      value: rates.porchlight[0]! / rates.bare,
      unit: "x",
    },
    {
      what: "Memory with 200 KB attached: second half of the run ÷ first",
      figure: rates.memory.map((one) => `${count(one)} MB`).join(" and "),
      value: rates.memory[1] / rates.memory[0],
      unit: "x",
      aim: { atMost: 1.1 },
    },
  ];
}

function besidePool(what: string, { porchlight, pool }: Rates, atLeast: number, run = 0): Row {
  const figure = `${count(porchlight[run]!)} and ${count(pool)} emails/s`;
  return { what, figure, value: porchlight[run]! / pool, unit: "x", aim: { atLeast } };
}

/** Porchlight right after an import, and the others before and after it, so that a machine that slows down does so for all. */
async function compare(bench: Bench, setting: Setting): Promise<Rates> {
  const { sink } = bench;
  const { messages, connections, delayMs = 0, attachment: attached } = setting;
  sink.delay(delayMs);
  const peer: Peer = {
    port: sink.port,
    messages: Math.ceil(messages / 2),
    connections,
    attachment: attached,
  };
  const times = { pool: 0, bare: 0 };
  const runPeers = async () => {
    const arrived = sink.expect(peer.messages * 2);
    times.bare += await throughConnections(peer);
    times.pool += await throughPool(peer);
    await arrived;
  };
  await runPeers();
  const { times: own, memory } = await throughPorchlight(bench, setting);
  await runPeers();
  sink.delay(0);
  const perSecond = (took: number, sent: number) => (sent * 1000) / took;
  return {
    porchlight: own.map((took) => perSecond(took, messages)),
    pool: perSecond(times.pool, peer.messages * 2),
    bare: perSecond(times.bare, peer.messages * 2),
    memory,
  };
}

/**
 * The milliseconds of each run, from the call that sends until the last message is in the sink. Then
 * everything has to be recorded as well.
 */
function throughPorchlight(
  { worlds, sink }: Bench,
  { messages, connections, runs = 1, values = false, attachment: attached }: Setting,
): Promise<{ times: number[]; memory: [number, number] }> {
  const environment = {
    SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    SMTP_FROM: "office@maple.example",
    SMTP_CONNECTIONS: String(connections),
  };
  return worlds.with(environment, async (world) => {
    const attachments = attached
      ? [await world.call<Attachment>("POST", "/api/attachments?name=notice.pdf", attached)]
      : [];
    await importPeople(world, messages, person);
    const file = values ? await upload(world, messages) : undefined;
    const tenants = await groupNamed(world, "All Tenants");
    const most: [number, number] = [0, 0];
    const times: number[] = [];
    while (times.length < runs + Number(values)) {
      let half: 0 | 1 = 0;
      const middle = sink.expect(Math.floor(messages / 2)).then(() => (half = 1));
      const arrived = sink.expect(messages - Math.floor(messages / 2));
      const watching = new AbortController();
      const watch = (async () => {
        while (!watching.signal.aborted) {
          most[half] = Math.max(most[half], (await world.memory()).now);
          await sleep(100);
        }
      })();
      const own = times.length < runs ? {} : file;
      const started = now();
      const id = await send(world, tenants, { channels: ["email"], attachments, ...own });
      times.push((await arrived) - started);
      await middle;
      await delivered(world, id);
      watching.abort();
      await watch;
    }
    return { times, memory: most };
  });
}

/** What a message is sent with that has this file's values. */
async function upload({ call }: World, people: number): Promise<{ message: string; valuesId: number }> {
  const { id, ready } = await call<ValuesOverview>(
    "POST",
    "/api/values?name=slots.csv&fields=due_date,slot",
    Buffer.from(slots.fileFor(people)),
  );
  if (ready !== people) throw new Error(`Only ${ready} of ${people} rows can be sent.`);
  return { message: slots.content, valuesId: id };
}
