import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { openSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql, type RawBuilder } from "kysely";
import { channelSet } from "#server/audience/person.ts";
import { channels } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import {
  addPeople,
  clear,
  send,
  type NotificationValues,
  type Started,
} from "#server/delivery/testing/scene.ts";
import { recordAccounts } from "#server/delivery/accounts/accounts.ts";
import { startWebRole, type CallApi } from "../people/web-role.ts";
import { emulatedAccount, type ProviderKind } from "./accounts.ts";
import type { Server } from "./database.ts";
import type { Network } from "./network.ts";
import type { ProcessOptions } from "./process.ts";
import { startProvider, type Provider } from "./providers.ts";

/** How long anything may take. */
const PATIENCE_MS = { small: 150_000, large: 540_000 };
/**
 * What stands for the ten minutes that an unanswered message waits: nothing here is on its way for longer. On a busy
 * machine a process records late what it was answered, so it is at least this many times what one takes to start.
 */
const ANSWER_MS = 3000;
const ANSWER_STARTS = 4;

/** A database, a provider that misbehaves, and processes that can be killed, frozen and cut off. */
export class World {
  readonly server: Server;
  readonly provider: Provider;
  readonly large: boolean;
  /** Where processes find the database. */
  databaseUrl: string;
  /** Where processes find the provider. */
  port: number;
  /** How many messages the faults may have left in doubt. */
  exposed = 0;
  readonly #processes = new Set<ChildProcess>();
  #answerMs = ANSWER_MS;
  #messages = 0;
  #web: Awaited<ReturnType<typeof startWebRole>> | undefined;

  private constructor(server: Server, provider: Provider, large: boolean) {
    this.server = server;
    this.provider = provider;
    this.large = large;
    this.databaseUrl = server.url;
    this.port = provider.port;
  }

  static async open(server: Server, kind: ProviderKind, large: boolean): Promise<World> {
    await sql`DELETE FROM audit`.execute(server.db);
    await clear(server.db);
    const provider = await startProvider(kind);
    // Otherwise nothing would be on its way when something happens.
    provider.faults.delayMs = 20;
    // A run decides when it starts whether its messages go out at all.
    await recordAccounts(server.db, [emulatedAccount(kind, provider).account]);
    return new World(server, provider, large);
  }

  get db(): Db {
    return this.server.db;
  }

  /** `fullDisk`: the disk of its log is full. `network`: it is in there. Resolves when it is at work. */
  async start({
    fullDisk = false,
    network,
    ...rest
  }: { fullDisk?: boolean; network?: Network } & Partial<ProcessOptions> = {}): Promise<ChildProcess> {
    const options: ProcessOptions = {
      role: "worker",
      databaseUrl: this.databaseUrl,
      provider: this.provider.kind,
      host: "127.0.0.1",
      port: this.port,
      talkative: fullDisk,
      aheadMs: 0,
      answerWithin: 3000,
      losesAnswers: false,
      ...rest,
    };
    const stderr = fullDisk ? openSync("/dev/full", "w") : "inherit";
    const script = [join(import.meta.dirname, "process.ts"), JSON.stringify(options)];
    const how: SpawnOptions = {
      stdio: ["ignore", "ignore", stderr, "ipc"],
      // Starting takes a third less time.
      env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), "porchlight-faults-code") },
    };
    const began = performance.now();
    const child = network
      ? spawn("ip", ["netns", "exec", network.name, process.execPath, ...script], how)
      : spawn(process.execPath, script, how);
    this.#processes.add(child);
    child.on("exit", () => this.#processes.delete(child));
    await Promise.race([once(child, "message"), once(child, "exit")]);
    this.#answerMs = Math.max(this.#answerMs, ANSWER_STARTS * (performance.now() - began));
    return child;
  }

  /** Resolves when the provider has answered a connection test. */
  async connected(): Promise<void> {
    await this.until(sql`SELECT FROM accounts WHERE source = 'environment' AND enabled AND state = 'ok'`);
  }

  get processesAlive(): number {
    return this.#processes.size;
  }

  async kill(child: ChildProcess): Promise<void> {
    const before = this.provider.connections();
    await ended(child, "SIGKILL");
    // Until its ends of the connections are noticed.
    await sleep(50);
    this.exposed += before.difference(this.provider.connections()).size;
  }

  /** Who take every channel. */
  async addPeople(count: number): Promise<void> {
    await addPeople(this.db, count);
    await sql`UPDATE users SET channels = ${channelSet(channels)}`.execute(this.db);
  }

  /** To everyone, after adding that many people. Each message has a number of its own. */
  async send(people = 0): Promise<Started> {
    if (people > 0) await this.addPeople(people);
    return send(this.db, this.message());
  }

  /** A message with a number, by which the ledger recognizes it. */
  message(values: NotificationValues = {}): NotificationValues {
    this.#messages += 1;
    const content = `Hello {{first_name}}, no water on Tuesday (message ${this.#messages}).`;
    return { content, channels: [this.provider.kind === "onesignal" ? "push" : "email"], ...values };
  }

  /** Waits until the check succeeds, also while the database does not answer. */
  async until(
    question: ReturnType<typeof sql> | (() => boolean),
    meanwhile: () => Promise<unknown> = () => sleep(50),
  ) {
    const giveUp = performance.now() + PATIENCE_MS[this.large ? "large" : "small"];
    for (let problem: unknown; ;) {
      try {
        if (typeof question === "function" ? question() : (await question.execute(this.db)).rows.length > 0)
          return;
        await meanwhile();
      } catch (error) {
        problem = error;
        await sleep(50);
      }
      if (performance.now() > giveUp) throw new Error("Timed out waiting", { cause: problem });
    }
  }

  /** Where deliveries and accounts stand, to find out why nothing moves. */
  async describe(): Promise<unknown[]> {
    const deliveries =
      await sql`SELECT status, reason, detail, failures, min(due_at - now())::text AS due, count(*)::int
      FROM deliveries GROUP BY status, reason, detail, failures`.execute(this.db);
    const accounts =
      await sql`SELECT kind, enabled, state, state_reason, on_trial, (retry_at - now())::text AS retry
      FROM accounts WHERE source = 'environment'`.execute(this.db);
    return [...deliveries.rows, ...accounts.rows];
  }

  /** The only row. */
  async ask<Row>(question: RawBuilder<Row>): Promise<Row> {
    const { rows } = await question.execute(this.db);
    const [row] = rows;
    if (!row) throw new Error("The database has no such row");
    return row;
  }

  /** Until that many more messages have arrived. */
  async arrivals(more: number): Promise<void> {
    const { arrived } = this.provider;
    const enough = arrived.length + more;
    await this.until(
      () => arrived.length >= enough,
      () => sleep(5),
    );
  }

  /** Ends all waits for a retry, a receipt or an account's next test. */
  async passTime(): Promise<void> {
    await sql`UPDATE accounts SET retry_at = least(retry_at, now())`.execute(this.db);
    await sql`UPDATE refused_contents SET retry_at = least(retry_at, now())`.execute(this.db);
    await sql`UPDATE deliveries SET due_at = now() WHERE due_at > now() AND (status = 'queued'
      OR status = 'uncertain' AND updated_at < now() - ${this.#answerMs} * interval '1 millisecond')`.execute(
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
    await this.until(
      sql`SELECT WHERE NOT EXISTS (SELECT FROM runs WHERE state IN ('fanning-out', 'sending'))
      AND NOT EXISTS (SELECT FROM deliveries WHERE status IN ('queued', 'sending', 'uncertain'))`,
      () => (waiting ? sleep(200) : this.passTime()),
    );
  }

  /** Calls of an administrator at the web role, which runs in this process. */
  async console(): Promise<CallApi> {
    return (await this.#startWeb()).call;
  }

  async #startWeb() {
    const { account, apiUrls } = emulatedAccount(this.provider.kind, this.provider);
    return (this.#web ??= await startWebRole(this.db, this.server.url, apiUrls, [account]));
  }

  /** Where the provider reports what became of its messages. */
  async webhook(): Promise<string> {
    const { app } = await this.#startWeb();
    const address = await app.listen({ port: 0, host: "127.0.0.1" });
    const { rows } = await sql<{ key: string }>`
      SELECT webhook_key AS key FROM accounts WHERE source = 'environment' AND enabled`.execute(this.db);
    return `${address}/webhooks/${rows[0]?.key}`;
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#processes].map((child) => ended(child, "SIGTERM")));
  }

  async close(): Promise<void> {
    await this.stopAll();
    await this.#web?.close();
    await this.provider.close();
  }
}

/** Ends a process, by force after five seconds. */
export async function ended(child: ChildProcess, signal: "SIGTERM" | "SIGKILL"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill(signal);
  await Promise.race([exit, sleep(5000, undefined, { ref: false })]);
  child.kill("SIGKILL");
}
