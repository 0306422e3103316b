import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "#server/db/database.ts";
import type { Change, Recorded } from "./record.ts";
import { record } from "./record.ts";

type Begin = { id: number; answer: (ours: boolean) => void };

const RETRY_MS = 250;
const SHORTEST_GATHERING_MS = 1;
const LONGEST_GATHERING_MS = 5;
/** After so long the one that took over has repeated the message or given it up. */
const LATE_MS = 600_000;
/** So many make a commit worth its while: the others go on sending meanwhile. */
const ENOUGH = 16;

/**
 * Writes down what the channels of one worker do, many at a time. A message may begin only when everything that was
 * settled before is on disk, so a crash leaves no more in doubt than what is on the wire.
 *
 * A commit that waits for the disk takes much longer than a message to a near server, so the pace is messages a
 * commit: each waits a moment for the answers that are just about to come.
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
  #allIn: (() => void) | undefined;

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

  /** Resolves when it is on disk that this delivery is about to go out: true, or false when it must not. */
  begin(id: number): Promise<boolean> {
    if (this.#closed) return Promise.resolve(false);
    return new Promise((answer) => {
      this.#begins.push({ id, answer });
      this.#write();
    });
  }

  settle(...changes: readonly Change[]): void {
    this.#changes.push(...(this.#closed ? changes.filter(isAcceptance) : changes));
    this.#onTheWire -= changes.filter(({ begun }) => begun).length;
    if (this.#onTheWire <= 0) this.#allIn?.();
    this.#write();
  }

  /** Resolves when all that was settled is on disk, or will never be. */
  async flushed(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /**
   * The lease is lost: nothing more begins, and others take over. What was accepted is still written, for as long as
   * it keeps a message from going out twice.
   */
  close(): void {
    if (!this.#closed) setTimeout(() => this.abandon(), LATE_MS).unref();
    this.#closed = true;
    this.#changes = this.#changes.filter(isAcceptance);
    for (const { answer } of this.#begins.splice(0)) answer(false);
  }

  /** If the lease is lost: gives up what could not be written after the next try. */
  abandon(): void {
    this.#abandoned = true;
  }

  #write(): void {
    this.#writing ??= this.#writeAll().finally(() => {
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

  /** Until nothing is on the wire, but never long beside what the writing itself takes. */
  async #gather(): Promise<void> {
    // Whatever happens in this turn of the event loop goes along.
    await Promise.resolve();
    const ms = Math.max(SHORTEST_GATHERING_MS, Math.min(LONGEST_GATHERING_MS, this.#lastMs / 2));
    if (this.#onTheWire <= 0 || this.#begins.length >= ENOUGH || this.#closed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#allIn = () => {
        clearTimeout(timer);
        // Anyone who told the last answer has yet to ask for its next message.
        setImmediate(resolve);
      };
    });
    this.#allIn = undefined;
  }

  /** Tries until the database answers; a statement that was written twice changes nothing. */
  async #writeOnce(given: readonly Change[], begins: readonly Begin[]): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      const changes = this.#closed ? given.filter(isAcceptance) : given;
      if (this.#closed && (changes.length === 0 || (this.#abandoned && tries > 0))) break;
      const begin = { token: this.#token, ids: this.#closed ? [] : begins.map(({ id }) => id) };
      try {
        const started = performance.now();
        const { moved, begun } = await record(this.#db, changes, begin);
        this.#lastMs = performance.now() - started;
        this.#onTheWire += begun.length;
        const ours = new Set(begun);
        for (const { id, answer } of begins) answer(ours.has(id));
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

  /** Anyone who took over has called it uncertain meanwhile: by then its answer was only late. */
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
