import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { IMPORT_CHUNK } from "#contract/calls/csv.ts";
import type { Group } from "#contract/calls/groups.ts";
import type { NotificationRow } from "#contract/calls/notifications.ts";
import { channelSet } from "#server/audience/person.ts";
import { connect, type Db } from "#server/db/database.ts";
import { content } from "./message.ts";

/** A running Porchlight, as the README starts it: web, worker and scheduler in one process. */
type Product = {
  url: string;
  pid: number;
  /** Milliseconds from the start until it said that it is ready. */
  readyMs: number;
  /** Resident memory of the process in megabytes: now, and the most there has been. NaN where /proc has no word of it. */
  memory: () => Promise<{ now: number; most: number }>;
  call: <Reply>(method: "GET" | "POST", path: string, body?: object | Buffer) => Promise<Reply>;
  stop: () => Promise<void>;
};

/** One with an administrator signed in, and its database for looking inside. */
export type World = Product & { db: Db };

type Environment = Readonly<Record<string, string>>;

const main = join(import.meta.dirname, "../server/main.ts");
/** As `npm start` sets them. */
const FLAGS = ["--max-semi-space-size=8"];
const NODE_COMPILE_CACHE = join(import.meta.dirname, "../node_modules/.cache/node-compile");
/** Otherwise the product writes one into the data folder of whoever runs this. */
const SECRET_KEY = randomBytes(32).toString("base64");
/** What says something about another installation. */
const elsewhere = /^(?:DATABASE_URL|PORT|HOST|TRUST_PROXY|LOG_LEVEL|(?:SMTP|PORCHLIGHT)_.*|.*_API_URL)$/;

export async function startProduct(environment: Environment): Promise<Product> {
  const port = await freePort();
  const inherited = Object.entries(process.env).filter(([name]) => !elsewhere.test(name));
  const started = performance.now();
  const child = spawn(process.execPath, [...FLAGS, ...profiling(), main], {
    env: {
      ...Object.fromEntries(inherited),
      NODE_COMPILE_CACHE,
      LOG_LEVEL: "warn",
      PORCHLIGHT_SECRET_KEY: SECRET_KEY,
      PORT: String(port),
      ...environment,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  const ready = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.startsWith("Porchlight is ready")) ready.resolve();
  });
  await Promise.race([ready.promise, exit]);
  if (child.exitCode !== null) throw new Error("Porchlight did not start.");
  const readyMs = performance.now() - started;
  const url = `http://127.0.0.1:${port}`;
  let cookie = "";
  return {
    url,
    pid: child.pid!,
    readyMs,
    memory: async () => {
      const status = await readFile(`/proc/${child.pid}/status`, "utf8").catch(() => "");
      const megabytes = (name: string) =>
        Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(status)?.[1]) / 1024;
      return { now: megabytes("VmRSS"), most: megabytes("VmHWM") };
    },
    call: async <Reply>(method: "GET" | "POST", path: string, body?: object | Buffer): Promise<Reply> => {
      const raw = Buffer.isBuffer(body);
      const reply = await fetch(url + path, {
        method,
        headers: {
          cookie,
          ...(body && { "content-type": raw ? "application/octet-stream" : "application/json" }),
        },
        ...(body && { body: raw ? new Uint8Array(body) : JSON.stringify(body) }),
      });
      const text = await reply.text();
      if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text}`);
      const [first] = reply.headers.getSetCookie();
      if (first) cookie = first.split(";")[0] ?? "";
      return JSON.parse(text) as Reply;
    },
    stop: async () => {
      child.kill("SIGTERM");
      await exit;
    },
  };
}

/** BENCH_PROFILE names a folder for CPU profiles of the product. */
function profiling(): string[] {
  const folder = process.env["BENCH_PROFILE"];
  return folder ? ["--cpu-prof", `--cpu-prof-dir=${folder}`] : [];
}

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  await once(server.close(), "close");
  return port;
}

/** Makes worlds on one PostgreSQL server, each with a new database. */
export class Worlds {
  readonly #serverUrl: string;
  readonly #server: Db;
  #made = 0;

  constructor(serverUrl: string) {
    this.#serverUrl = serverUrl;
    this.#server = connect(serverUrl, { max: 1, answerWithin: 0 });
  }

  async with<Result>(environment: Environment, work: (world: World) => Promise<Result>): Promise<Result> {
    this.#made += 1;
    const name = `porchlight_bench_${process.pid}_${this.#made}`;
    await sql.raw(`CREATE DATABASE ${name}`).execute(this.#server);
    const url = new URL(this.#serverUrl);
    url.pathname = `/${name}`;
    const product = await startProduct({ ...environment, DATABASE_URL: url.href });
    const db = connect(url.href, { max: 4, answerWithin: 0 });
    try {
      await register(product);
      return await work({ ...product, db });
    } finally {
      await db.destroy();
      await product.stop();
      await sql.raw(`DROP DATABASE ${name} WITH (FORCE)`).execute(this.#server);
    }
  }

  async close(): Promise<void> {
    await this.#server.destroy();
  }
}

export async function register({ call }: Product): Promise<void> {
  await call("POST", "/api/auth/register", {
    firstName: "Ada",
    lastName: "Admin",
    username: "admin",
    email: "admin@maple.example",
    password: "Maple-lantern-28",
  });
}

/** In chunks, like the browser. */
export async function importPeople(
  { call }: Product,
  people: number,
  rowOf: (n: number) => Record<string, string>,
): Promise<void> {
  for (let from = 0; from < people; from += IMPORT_CHUNK) {
    const rows = Array.from({ length: Math.min(IMPORT_CHUNK, people - from) }, (_, n) => rowOf(from + n + 1));
    const { created } = await call<{ created: number }>("POST", `/api/csv/import?firstRow=${from + 1}`, rows);
    if (created !== rows.length) throw new Error(`Only ${created} of ${rows.length} people were imported.`);
  }
}

/** Everyone turns push notifications on, which no import does for them. */
export async function turnPushOn({ db }: World): Promise<void> {
  await sql`UPDATE users SET channels = channels | ${channelSet(["push"])}`.execute(db);
}

export async function groupNamed({ call }: Product, group: string): Promise<number> {
  const groups = await call<Group[]>("GET", `/api/usergroups?q=${encodeURIComponent(group)}`);
  return groups.find(({ name }) => name === group)!.id;
}

/** Sends to a group, by name or id, and returns the notification's id, as soon as the call is answered. */
export async function send(
  product: Product,
  group: string | number,
  values: {
    channels: readonly string[];
    class?: string;
    attachments?: readonly object[];
    message?: string;
    valuesId?: number;
  },
): Promise<number> {
  const id = typeof group === "number" ? group : await groupNamed(product, group);
  const { title, content: message } = content;
  const sent = await product.call<NotificationRow>("POST", "/api/send-notification", {
    title,
    message,
    recipients: [{ type: "group", id }],
    ...values,
  });
  return sent.id;
}

/** Waits until the console shows the notification as delivered to everyone. */
export async function delivered({ db }: World, id: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ status: string }>`SELECT status FROM notifications WHERE id = ${id}`.execute(
      db,
    );
    const status = rows[0]?.status;
    if (status === "Delivered") return;
    if (status !== "Sending") throw new Error(`The notification is ${status}.`);
    await sleep(20);
  }
}
