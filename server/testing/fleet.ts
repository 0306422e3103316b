import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { imbalance } from "#server/delivery/testing/run-totals.ts";
import {
  type ScriptedServer,
  scriptedServer,
} from "#server/delivery/transports/smtp/testing/scripted-server.ts";
import { startSession } from "#server/http/session.ts";
import { insertPerson } from "#server/testing/app.ts";
import { type FleetRole, type Member, startMember, waitUntil } from "#server/testing/fleet-member.ts";

type FleetLedger = {
  /** Notifications that a web process has answered as taken. */
  promised: number;
  /** Requests that failed at a process that no one had killed. */
  failedRequests: string[];
  /** Requests that failed at a killed process and were repeated elsewhere. */
  repeatedRequests: number;
  /** Of the promised: stored twice or not at all. */
  wronglyStored: string[];
  /** Messages owed to someone whom the mail server has nothing for. */
  lost: number;
  /** Messages received more than once. */
  twice: number;
  /** Attempts that got no answer. */
  inDoubt: number;
  /** Where the counters differ from a recount. */
  imbalance: unknown[];
};

/** Separate processes of any role on one PostgreSQL, a mail server that counts, and clients that retry. */
export class Fleet {
  readonly #db: Db;
  readonly #url: string;
  readonly #mail: ScriptedServer;
  readonly #secretKey = randomBytes(32).toString("base64");
  readonly #cookie: string;
  readonly #people: readonly string[];
  readonly #killed: string[] = [];
  readonly #promised = new Map<string, number>();
  readonly #failed: string[] = [];
  #repeated = 0;
  #arrivals: { count: number; reached: () => void }[] = [];
  readonly #arrived: string[];
  readonly members: Member[] = [];

  /** @param url a PostgreSQL that all processes share, with a migrated database for this alone */
  static async open(db: Db, url: string, people: number): Promise<Fleet> {
    const arrived: string[] = [];
    let told = (): void => undefined;
    const mail = await scriptedServer({
      end: (content) => {
        const [, title] = /^Subject: (.*)$/m.exec(content.replaceAll("\r", "")) ?? [];
        const [, address] = /^To: .*?([\w.]+@example\.com)/m.exec(content) ?? [];
        arrived.push(`${title} to ${address}`);
        told();
        return "250 2.0.0 taken";
      },
    });
    const addresses = Array.from({ length: people }, (_, n) => `fleet${n}@example.com`);
    const [userId = 0] = await Promise.all(
      addresses.map((email, n) => insertPerson(db, { email, role: n === 0 ? "admin" : "tenant" })),
    );
    const session = await startSession(db, { userId, ip: "127.0.0.1", userAgent: "fleet" });
    const fleet = new Fleet(db, url, { mail, arrived, addresses, cookie: `porchlight=${session}` });
    told = () => fleet.#tellArrivals();
    return fleet;
  }

  private constructor(
    db: Db,
    url: string,
    own: { mail: ScriptedServer; arrived: string[]; addresses: string[]; cookie: string },
  ) {
    this.#db = db;
    this.#url = url;
    this.#mail = own.mail;
    this.#arrived = own.arrived;
    this.#people = own.addresses;
    this.#cookie = own.cookie;
  }

  /** Adds a process that is ready. `build`: the folder of another build. */
  async start(role: FleetRole, build?: string): Promise<Member> {
    const environment = {
      DATABASE_URL: this.#url,
      PORCHLIGHT_SECRET_KEY: this.#secretKey,
      PORCHLIGHT_URL: "http://127.0.0.1:3000",
      SMTP_URL: `smtp://127.0.0.1:${this.#mail.port}`,
      SMTP_CONNECTIONS: "4",
    };
    const member = await startMember(role, environment, build);
    this.members.push(member);
    return member;
  }

  /** Those in this role that no one has told to end. */
  serving(role: FleetRole): Member[] {
    return this.members.filter((member) => member.role === role && !member.leaving);
  }

  anyServing(role: FleetRole): Member {
    const serving = this.serving(role);
    return serving[Math.floor(Math.random() * serving.length)]!;
  }

  /** Without a word, as when a machine loses its power. */
  kill(member: Member): void {
    member.leaving = true;
    this.#killed.push(String(member.process.pid));
    member.process.kill("SIGKILL");
  }

  /**
   * In order: clients leave it before it hears of it, as in Kubernetes, where `preStop` waits for that. Returns the exit
   * code: 0 if everything could be finished in time.
   */
  async stop(member: Member): Promise<number | null> {
    member.leaving = true;
    await waitUntil("its requests are answered", () => member.requests === 0);
    member.process.kill("SIGTERM");
    return member.exit;
  }

  /** Resolves while the mail server is taking its `count`th message. */
  arrivals(count: number): Promise<void> {
    return new Promise((reached) => {
      this.#arrivals.push({ count, reached });
      this.#tellArrivals();
    });
  }

  #tellArrivals(): void {
    const due = this.#arrivals.filter(({ count }) => this.#arrived.length >= count);
    this.#arrivals = this.#arrivals.filter(({ count }) => this.#arrived.length < count);
    for (const { reached } of due) reached();
  }

  /**
   * Sends to everyone, every second time by way of a scheduler, and reads lists in between, each call at any web process,
   * until `over` and at least `messages` have been sent.
   */
  async load({ clients, messages, over }: { clients: number; messages: number; over: Promise<unknown> }) {
    const ended = new AbortController();
    const ending = over.finally(() => ended.abort());
    let sent = 0;
    const client = async () => {
      while (!ended.signal.aborted || sent < messages) {
        if (sent < messages) {
          sent += 1;
          await this.#send(`Fleet-${sent}`, sent % 2 === 0);
        }
        await this.#call("GET", "/api/notifications");
        await sleep(20);
      }
    };
    const calls = Promise.all([ending, ...Array.from({ length: clients }, client)]);
    const clock = setInterval(() => void this.#passTime().catch(() => undefined), 200);
    await calls.finally(() => clearInterval(clock));
  }

  async #send(title: string, later: boolean): Promise<void> {
    const message = { title, recipients: ["Everyone"], channels: ["email"], clientKey: title };
    // In an hour, which `#passTime` lets pass: however slow the machine is, it is never too late to be taken.
    const scheduled_time = new Date(Date.now() + 3_600_000).toISOString();
    const answer = later
      ? await this.#call("POST", "/api/notifications", {
          ...message,
          content: "No water on Tuesday.",
          status: "Scheduled",
          scheduled_time,
        })
      : await this.#call("POST", "/api/send-notification", { ...message, message: "No water on Tuesday." });
    this.#promised.set(title, (answer as { id: number }).id);
  }

  /** Goes to another process as long as the answer is not there, like a load balancer in front of a browser. */
  async #call(method: string, path: string, body?: object): Promise<unknown> {
    for (;;) {
      const web = this.anyServing("web");
      web.requests += 1;
      try {
        const reply = await fetch(`http://127.0.0.1:${web.port}${path}`, {
          method,
          headers: { cookie: this.#cookie, ...(body && { "content-type": "application/json" }) },
          ...(body && { body: JSON.stringify(body) }),
        });
        const answer: unknown = await reply.json();
        if (reply.ok) return answer;
        this.#failed.push(`${method} ${path}: ${reply.status} ${JSON.stringify(answer)}`);
      } catch (error) {
        const failure = `${method} ${path}: ${String((error as Error).cause ?? error)}`;
        if (this.#killed.includes(String(web.process.pid))) this.#repeated += 1;
        else this.#failed.push(failure);
      } finally {
        web.requests -= 1;
      }
      await sleep(50);
    }
  }

  /** Cuts waits by the clock short: for scheduled times, killed workers' leases, and receipts of unanswered messages. */
  async #passTime(): Promise<void> {
    await sql`UPDATE notifications SET scheduled_time = now()
      WHERE status = 'Scheduled' AND id = ANY(${[...this.#promised.values()]}::bigint[])`.execute(this.#db);
    await sql`UPDATE workers SET lease_until = least(lease_until, now())
      WHERE split_part(name, ' ', -1) = ANY(${this.#killed}::text[])`.execute(this.#db);
    await sql`UPDATE deliveries SET due_at = now() WHERE status = 'uncertain' AND due_at > now()`.execute(
      this.#db,
    );
  }

  /** Waits until everything that was promised is out. */
  async finished(): Promise<void> {
    await waitUntil("everything is out", async () => {
      await this.#passTime();
      const { rows } = await sql`SELECT FROM notifications WHERE status <> 'Delivered' LIMIT 1`.execute(
        this.#db,
      );
      return rows.length === 0;
    });
  }

  async ledger(): Promise<FleetLedger> {
    const stored = await sql<{ title: string; ids: number[] }>`
      SELECT title, array_agg(id) AS ids FROM notifications GROUP BY title`.execute(this.#db);
    const storedAs = new Map(stored.rows.map(({ title, ids }) => [title, ids]));
    const doubt = await sql`SELECT FROM attempts WHERE outcome = 'uncertain'`.execute(this.#db);
    const got = Map.groupBy(this.#arrived, (message) => message);
    const owed = [...this.#promised.keys()].flatMap((title) =>
      this.#people.map((address) => `${title} to ${address}`),
    );
    return {
      promised: this.#promised.size,
      failedRequests: this.#failed,
      repeatedRequests: this.#repeated,
      wronglyStored: [...this.#promised].flatMap(([title, id]) =>
        storedAs.get(title)?.length === 1 && storedAs.get(title)?.[0] === id ? [] : [title],
      ),
      lost: owed.filter((message) => !got.has(message)).length,
      twice: [...got.values()].reduce((sum, copies) => sum + copies.length - 1, 0),
      inDoubt: doubt.rows.length,
      imbalance: await imbalance(this.#db),
    };
  }

  async close(): Promise<void> {
    await Promise.all(
      this.members.map(async (member) => {
        const forced = setTimeout(() => member.process.kill("SIGKILL"), 10_000);
        await this.stop(member);
        clearTimeout(forced);
      }),
    );
    await this.#mail.close();
  }
}
