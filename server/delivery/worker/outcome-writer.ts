import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "#server/db/database.ts";
import { detached, span, tell } from "#server/telemetry/signals.ts";
import type { Change, Recorded } from "./record.ts";
import { record } from "./record.ts";

type Begin = { id: number; answer: (ours: boolean) => void };

const RETRY_MS = 250;
const SHORTEST_GATHERING_MS = 1;
const LONGEST_GATHERING_MS = 5;
/** By then, the process that took over has repeated the message or given it up. */
const LATE_MS = 600_000;
/** This many make a commit worthwhile, however many others are sending. */
const ENOUGH = 5;

/**
 * Records what one worker's channels do, many at a time. A message may begin only when everything settled before it is
 * on disk, so a crash leaves no more in doubt than what is being transmitted. The pace is messages per commit, so a
 * commit waits a moment for answers that are about to arrive, but only until a few messages wait for it, or as many as are
 * being sent: then one half is sent while the other half's commit is under way.
 */
export class OutcomeWriter {
  readonly #db: Db;
  readonly #token: number;
  readonly #onRecorded: (moved: readonly Recorded[]) => void;
  readonly #onError: (error: unknown) => void;
  #changes: Change[] = [];
  #begins: Begin[] = [];
  #writing: Promise<void> | undefined;
  #closed = false;
  #abandoned = false;
  /** Messages that have begun and are not settled. */
  #onTheWire = 0;
  #lastMs = 0;
  #gathered: (() => void) | undefined;

  constructor(
    db: Db,
    token: number,
    on: { recorded: (moved: readonly Recorded[]) => void; error: (error: unknown) => void },
  ) {
    this.#db = db;
    this.#token = token;
    this.#onRecorded = on.recorded;
    this.#onError = on.error;
  }

  /** Resolves when it is on disk that this delivery is about to be sent: true, or false if it must not be. */
  begin(id: number): Promise<boolean> {
    if (this.#closed) return Promise.resolve(false);
    return new Promise((answer) => {
      this.#begins.push({ id, answer });
      if (this.#enough) this.#gathered?.();
      this.#write();
    });
  }

  settle(...changes: readonly Change[]): void {
    this.#changes.push(...(this.#closed ? changes.filter(isAcceptance) : changes));
    this.#onTheWire -= changes.filter(({ begun }) => begun).length;
    if (this.#enough) this.#gathered?.();
    this.#write();
  }

  /** Resolves when everything settled is on disk, or never will be. */
  async flushed(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /**
   * The lease is lost: nothing more begins, and others take over. Acceptances are still written as long as they keep a
   * message from being sent twice.
   */
  close(): void {
    if (!this.#closed) setTimeout(() => this.abandon(), LATE_MS).unref();
    this.#closed = true;
    this.#changes = this.#changes.filter(isAcceptance);
    for (const { answer } of this.#begins.splice(0)) answer(false);
  }

  /** If the lease is lost, gives up what could not be written in the next attempt. */
  abandon(): void {
    this.#abandoned = true;
  }

  #write(): void {
    // It writes for all accounts, whichever asks first.
    this.#writing ??= detached(() => this.#writeAll()).finally(() => {
      this.#writing = undefined;
      if (this.#changes.length > 0 || this.#begins.length > 0) this.#write();
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#changes.length > 0 || this.#begins.length > 0) {
      await this.#gather();
      const changes = this.#changes;
      const begins = this.#begins;
      this.#changes = [];
      this.#begins = [];
      await this.#writeOnce(changes, begins);
    }
  }

  get #enough(): boolean {
    return this.#begins.length >= Math.min(ENOUGH, this.#onTheWire);
  }

  /** Waits until the commit is worthwhile, but only briefly compared with the write itself. */
  async #gather(): Promise<void> {
    // Everything that happens in this turn of the event loop is included.
    await Promise.resolve();
    const ms = Math.max(SHORTEST_GATHERING_MS, Math.min(LONGEST_GATHERING_MS, this.#lastMs / 2));
    if (this.#enough || this.#closed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#gathered = () => {
        clearTimeout(timer);
        // The sender of the last answer has yet to ask for its next message.
        setImmediate(resolve);
      };
    });
    this.#gathered = undefined;
  }

  /** Tries until the database answers; repeating the statement changes nothing. */
  async #writeOnce(given: readonly Change[], begins: readonly Begin[]): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      const changes = this.#closed ? given.filter(isAcceptance) : given;
      if (this.#closed && (changes.length === 0 || (this.#abandoned && tries > 0))) break;
      const begin = { token: this.#token, ids: this.#closed ? [] : begins.map(({ id }) => id) };
      try {
        const started = performance.now();
        const { moved, begun } = await this.#record(changes, begin);
        this.#lastMs = performance.now() - started;
        tell("commit", { changes: changes.length, seconds: this.#lastMs / 1000 });
        this.#onTheWire += begun.length;
        const ours = new Set(begun);
        // The next commit leaves first, because to write these messages takes half as long as one.
        setImmediate(() => {
          for (const { id, answer } of begins) answer(ours.has(id));
        });
        this.#onRecorded(moved);
        await this.#writeLate(changes, moved);
        return;
      } catch (error) {
        this.#onError(error);
        await sleep(RETRY_MS);
      }
    }
    for (const { answer } of begins) answer(false);
  }

  /** One commit serves many batches. Its span belongs to the first of them. */
  #record(...[changes, begin]: [readonly Change[], Parameters<typeof record>[2]]): ReturnType<typeof record> {
    const [parent, ...links] = new Set(changes.flatMap((change) => change.traceparent ?? []));
    const write = () => record(this.#db, changes, begin);
    if (!parent) return write();
    return span("settle", { parent, links, attributes: { "porchlight.outcomes": changes.length } }, write);
  }

  /** The process that took over has marked it uncertain meanwhile, so its answer was only late. */
  async #writeLate(changes: readonly Change[], moved: readonly Recorded[]): Promise<void> {
    const known = new Set(moved.map(({ id }) => id));
    const late = changes.filter((change) => isAcceptance(change) && !known.has(change.id));
    if (late.length === 0) return;
    const settled = await record(
      this.#db,
      late.map((change) => ({ ...change, was: "uncertain", attempt: undefined, event: "answered-late" })),
    );
    this.#onRecorded(settled.moved);
  }
}

function isAcceptance({ begun, status }: Change): boolean {
  return begun && (status === "accepted" || status === "delivered");
}
