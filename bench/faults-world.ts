import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { addPeople, clear, send } from "#server/delivery/testing/scene.ts";
import type { NotificationValues, Started } from "#server/delivery/testing/scene.ts";
import { scriptedServer } from "#server/delivery/transports/smtp/testing/scripted-server.ts";
import type { ScriptedServer } from "#server/delivery/transports/smtp/testing/scripted-server.ts";

export type Ledger = {
  /** Messages that the mail server accepted. */
  accepted: number;
  /** Deliveries recorded as accepted. */
  recorded: number;
  /** Recorded as accepted but not received, or never decided. */
  lost: number;
  /** Messages received more than once. */
  twice: number;
  /** Attempts that got no answer. */
  "in doubt": number;
  "failed for good": number;
  suppressed: number;
  seconds: number;
  note: string;
};

export type Mood = "fine" | "relay denied" | "no such user" | "busy" | "mute" | "spam filter";

const refusals: Partial<Record<Mood, string>> = {
  "relay denied": "554 5.7.1 Relay access denied",
  "no such user": "550 5.1.1 User unknown",
  busy: "451 4.3.0 Try again later",
};

const PATIENCE_MS = 60_000;

/** A misbehaving mail server, worker processes that can be killed, and a database. */
export class FaultyWorld {
  readonly db: Db;
  readonly #url: string;
  readonly #server: ScriptedServer;
  readonly #moods: { now: Mood };
  /** The recipient of each message that the server has received completely, in order. */
  readonly arrived: string[];
  readonly #workers = new Set<ChildProcess>();

  private constructor(db: Db, url: string, server: ScriptedServer, moods: { now: Mood }, arrived: string[]) {
    this.db = db;
    this.#url = url;
    this.#server = server;
    this.#moods = moods;
    this.arrived = arrived;
  }

  static async open(db: Db, url: string): Promise<FaultyWorld> {
    await clear(db);
    const moods: { now: Mood } = { now: "fine" };
    const arrived: string[] = [];
    const server = await scriptedServer({
      rcpt: () => refusals[moods.now] ?? "250 2.1.5 ok",
      end: (content) => {
        if (moods.now === "spam filter") return "554 5.7.1 Rejected as spam";
        arrived.push(/^To: .*?([\w.]+@example\.com)/m.exec(content)?.[1] ?? "nobody");
        return moods.now === "mute" ? "silence" : "250 2.0.0 taken";
      },
    });
    return new FaultyWorld(db, url, server, moods, arrived);
  }

  set mood(mood: Mood) {
    this.#moods.now = mood;
  }

  /** `fullDisk`: the disk of its log is full. */
  async startWorker({ fullDisk = false } = {}): Promise<ChildProcess> {
    const stderr = fullDisk ? openSync("/dev/full", "w") : "inherit";
    const args = [join(import.meta.dirname, "faults-worker.ts"), this.#url, String(this.#server.port)];
    const child = spawn(process.execPath, [...args, ...(fullDisk ? ["talkative"] : [])], {
      stdio: ["ignore", "ignore", stderr],
    });
    this.#workers.add(child);
    child.on("exit", () => this.#workers.delete(child));
    await this.until(sql`SELECT FROM workers`);
    await this.until(sql`SELECT FROM accounts WHERE source = 'environment' AND state <> 'unchecked'`);
    return child;
  }

  get workersAlive(): number {
    return this.#workers.size;
  }

  async send(people: number, values?: NotificationValues): Promise<Started> {
    await addPeople(this.db, people);
    return send(this.db, values);
  }

  /** Waits until the check succeeds. Throws after a minute. */
  async until(question: ReturnType<typeof sql>, meanwhile: () => Promise<unknown> = () => sleep(50)) {
    const giveUp = performance.now() + PATIENCE_MS;
    for (;;) {
      const { rows } = await question.execute(this.db);
      if (rows.length > 0) return;
      if (performance.now() > giveUp) throw new Error("It has not come to that within a minute.");
      await meanwhile();
    }
  }

  /** Ends all waits for a retry, a receipt or an account's next test. */
  async passTime(): Promise<void> {
    await sql`UPDATE accounts SET retry_at = least(retry_at, now())`.execute(this.db);
    await sql`UPDATE refused_contents SET retry_at = least(retry_at, now())`.execute(this.db);
    await sql`UPDATE deliveries SET due_at = least(due_at, now()) WHERE status IN ('queued', 'uncertain')`.execute(
      this.db,
    );
    await sleep(200);
  }

  /** The account or the message is held back, and nothing is being sent. */
  async setBack(): Promise<void> {
    await this.until(
      sql`SELECT FROM accounts WHERE state IN ('resting', 'paused') UNION ALL SELECT FROM refused_contents`,
    );
    await this.until(sql`SELECT WHERE NOT EXISTS (SELECT FROM deliveries WHERE status = 'sending')`);
  }

  /** `waiting`: no waits are shortened. */
  async finished({ waiting = false } = {}): Promise<void> {
    await this.until(sql`SELECT WHERE NOT EXISTS (SELECT FROM runs WHERE state <> 'finished')`, () =>
      waiting ? sleep(200) : this.passTime(),
    );
  }

  async ledger(): Promise<Omit<Ledger, "seconds" | "note">> {
    const { rows } = await sql<{ address: string; status: string }>`
      SELECT address, status FROM deliveries WHERE status <> 'skipped'`.execute(this.db);
    const count = async (table: "attempts" | "suppressions", where = sql`true`) =>
      (await sql`SELECT FROM ${sql.table(table)} WHERE ${where}`.execute(this.db)).rows.length;
    const recorded = rows.filter(({ status }) => status === "accepted" || status === "delivered");
    const failed = rows.filter(({ status }) => ["failed", "bounced", "expired"].includes(status)).length;
    const taken = Map.groupBy(this.arrived, (address) => address);
    const owed = Map.groupBy(rows, ({ address }) => address);
    const untaken = recorded.filter(({ address }) => !taken.has(address)).length;
    const beyond = [...taken].map(([address, all]) => all.length - (owed.get(address)?.length ?? 0));
    return {
      accepted: this.arrived.length,
      recorded: recorded.length,
      lost: untaken + rows.length - recorded.length - failed,
      twice: beyond.reduce((sum, more) => sum + Math.max(0, more), 0),
      "in doubt": await count("attempts", sql`outcome = 'uncertain'`),
      "failed for good": failed,
      suppressed: await count("suppressions"),
    };
  }

  async close(): Promise<void> {
    await Promise.all(
      [...this.#workers].map(async (child) => {
        const exit = once(child, "exit");
        child.kill("SIGTERM");
        await Promise.race([exit, sleep(5000)]);
        child.kill("SIGKILL");
      }),
    );
    await this.#server.close();
  }
}
