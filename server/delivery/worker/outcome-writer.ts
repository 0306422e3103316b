import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "#server/db/database.ts";
import { detached, span, emit } from "#server/telemetry/signals.ts";
import { hedged, inTurn } from "./hedge.ts";
import { writeJournal, type Beginning, type JournalEntry } from "./journal.ts";
import { recordEach, type Change, type JournalPart, type Recorded } from "./record.ts";

type Waiting = Beginning & { answer: (ours: boolean) => void };

const RETRY_MS = 250;
/** How long a beginning may wait for others to share its entry of the journal. */
const SHARING_MS = 1;
/** This many make an entry worthwhile, however many others are on the wire. */
const ENOUGH = 5;
/** How long outcomes may wait for others to be settled with. */
const GATHERING_MS = 50;
/** This many don't wait. */
const MANY = 200;
/** With so many waiting, the database is slow, so nothing more begins until fewer do. */
const TOO_MANY = 2000;
/** By then, the process that took over has repeated the message or given it up. */
const LATE_MS = 600_000;

/**
 * Records what one worker's channels do. A message may begin only when its beginning and everything that ended before it
 * are on disk, so a crash leaves no more in doubt than what is being transmitted. That is a short entry in the journal,
 * because connections wait for it. Deliveries, counters and attempts follow within a moment, many at a time.
 */
export class OutcomeWriter {
  readonly #db: Db;
  readonly #token: number;
  readonly #onRecorded: (moved: readonly Recorded[]) => void;
  readonly #onError: (error: unknown) => void;
  #begins: Waiting[] = [];
  /** What ended since the last entry of the journal. */
  #ended: Change[] = [];
  /** What isn't settled yet. */
  #changes: Change[] = [];
  /** Who waits until these are. */
  #waiting: (() => void)[] = [];
  /** Don't wait for more of them. */
  #pressing = false;
  /** Messages that have begun and not ended, and when. `marked`: their delivery says so. */
  readonly #open = new Map<number, { claim: number; at: Date; marked: boolean }>();
  #lastEntry = 0;
  #lastRemoved = 0;
  #beginning: Promise<void> | undefined;
  #settling: Promise<void> | undefined;
  #stopSharing: (() => void) | undefined;
  #stopGathering: (() => void) | undefined;
  #closed = false;
  #abandoned = false;
  /** For statements with hundreds of rows: two at a time would keep the journal waiting for a processor. */
  readonly bulk = inTurn();

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
  begin({ id, claim, runId }: Beginning): Promise<boolean> {
    if (this.#closed) return Promise.resolve(false);
    return new Promise((answer) => {
      this.#begins.push({ id, claim, runId, answer });
      if (this.#enough) this.#stopSharing?.();
      this.#beginSoon();
    });
  }

  settle(...changes: readonly Change[]): void {
    for (const change of changes) {
      const began = this.#open.get(change.id)?.at.toISOString();
      const complete = began === undefined ? change : { ...change, began };
      this.#open.delete(change.id);
      this.#changes.push(complete);
      if (change.begun) this.#ended.push(complete);
      // A failure may be the account's, which is judged by what is on record, before more of its messages fail.
      if (!isAcceptance(change) || this.#changes.length >= MANY) this.#pressing = true;
    }
    if (this.#enough) this.#stopSharing?.();
    if (this.#pressing) this.#stopGathering?.();
    this.#settleSoon();
  }

  /** Resolves when what is settled by now is on disk, or never will be. */
  async written(): Promise<void> {
    if (this.#settling) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Resolves when everything settled is on disk, or never will be. */
  async flushed(): Promise<void> {
    while (this.#beginning ?? this.#settling) await (this.#beginning ?? this.#settling);
  }

  /**
   * The lease is lost: nothing more begins, and others take over. Acceptances are still written as long as they keep a
   * message from being sent twice.
   */
  close(): void {
    if (!this.#closed) setTimeout(() => this.abandon(), LATE_MS).unref();
    this.#closed = true;
    for (const { answer } of this.#begins.splice(0)) answer(false);
  }

  /** If the lease is lost, gives up what could not be written in the next attempt. */
  abandon(): void {
    this.#abandoned = true;
  }

  #beginSoon(): void {
    // It writes for all accounts, whichever asks first.
    this.#beginning ??= detached(() => this.#beginAll()).finally(() => {
      this.#beginning = undefined;
      if (this.#begins.length > 0) this.#beginSoon();
    });
  }

  async #beginAll(): Promise<void> {
    while (this.#begins.length > 0) {
      await this.#share();
      const begins = this.#begins;
      const ended = this.#ended;
      this.#begins = [];
      this.#ended = [];
      const entry = await this.#journal(begins, ended);
      const ours = new Set(entry?.begun);
      for (const { id, claim } of begins) {
        if (ours.has(id)) this.#open.set(id, { claim, at: entry!.at, marked: false });
      }
      this.#lastEntry = entry?.entry ?? this.#lastEntry;
      this.#settleSoon();
      // The next entry leaves first, because to write these messages takes longer than one.
      setImmediate(() => {
        for (const { id, answer } of begins) answer(ours.has(id));
      });
      while (this.#changes.length > TOO_MANY) await sleep(GATHERING_MS);
    }
  }

  get #enough(): boolean {
    return this.#begins.length >= Math.min(ENOUGH, this.#open.size);
  }

  /** Waits a moment until an entry is worthwhile. */
  async #share(): Promise<void> {
    // What was asked for together is included.
    await Promise.resolve();
    if (this.#enough) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, SHARING_MS);
      this.#stopSharing = () => {
        clearTimeout(timer);
        // The sender of the last answer has yet to ask for its next message.
        setImmediate(resolve);
      };
    });
    this.#stopSharing = undefined;
  }

  /** Tries until the database answers; an entry that is there twice means the same. */
  async #journal(begins: readonly Waiting[], ended: readonly Change[]): Promise<JournalEntry | undefined> {
    while (!this.#closed) {
      try {
        const started = performance.now();
        const entry = await hedged(() => writeJournal(this.#db, this.#token, { begins, ended }));
        emit("journal", { seconds: (performance.now() - started) / 1000 });
        return entry;
      } catch (error) {
        this.#onError(error);
        await sleep(RETRY_MS);
      }
    }
    return undefined;
  }

  #settleSoon(): void {
    if (this.#settling || !this.#unsettled) return;
    this.#settling = detached(() => this.#settleAll()).finally(() => {
      this.#settling = undefined;
      if (!this.#unsettled) for (const resolve of this.#waiting.splice(0)) resolve();
      this.#settleSoon();
    });
  }

  async #settleAll(): Promise<void> {
    while (this.#unsettled) {
      await this.#gather();
      const changes = this.#changes;
      this.#changes = [];
      const waiting = this.#waiting.splice(0);
      this.#pressing = false;
      await this.#settleOnce(changes, this.#part());
      for (const resolve of waiting) resolve();
    }
  }

  async #gather(): Promise<void> {
    if (this.#pressing) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHERING_MS);
      this.#stopGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#stopGathering = undefined;
  }

  /** Also messages that have been on the wire for a moment, so that their deliveries say that they have begun. */
  get #unsettled(): boolean {
    return this.#changes.length > 0 || this.#open.values().some(({ marked }) => !marked);
  }

  /** Everything that has ended in these entries is among the changes, or settled. */
  #part(): JournalPart {
    const unmarked = [...this.#open].filter(([, { marked }]) => !marked);
    for (const [, begun] of unmarked) begun.marked = true;
    return {
      token: this.#token,
      after: this.#lastRemoved,
      upTo: this.#lastEntry,
      open: unmarked.map(([id, { claim, at }]) => ({ id, claim, at })),
    };
  }

  /** Tries until the database answers; repeating the statement changes nothing. */
  async #settleOnce(given: readonly Change[], part: JournalPart): Promise<void> {
    for (let tries = 0; ; tries += 1) {
      if (this.#closed && this.#abandoned && tries > 0) return;
      try {
        const started = performance.now();
        // Decided when it is its turn: once the lease is lost, the journal belongs to those who take over.
        const { changes, removed, moved } = await this.bulk(async () => {
          const changes = this.#closed ? given.filter(isAcceptance) : given;
          const removed = this.#closed ? undefined : part;
          return { changes, removed, moved: await hedged(() => this.#record(changes, removed)) };
        });
        const settled = new Set(changes);
        this.#ended = this.#ended.filter((change) => !settled.has(change));
        this.#lastRemoved = removed?.upTo ?? this.#lastRemoved;
        emit("settle", { changes: changes.length, seconds: (performance.now() - started) / 1000 });
        this.#onRecorded(moved);
        await this.#writeLate(changes, moved);
        return;
      } catch (error) {
        this.#onError(error);
        await sleep(RETRY_MS);
      }
    }
  }

  /** One commit serves many batches. Its span belongs to the first of them. */
  #record(changes: readonly Change[], part: JournalPart | undefined): Promise<Recorded[]> {
    const [parent, ...links] = new Set(changes.flatMap((change) => change.traceparent ?? []));
    const write = () => recordEach(this.#db, changes, part, this.#onError);
    if (!parent) return write();
    return span("settle", { parent, links, attributes: { "porchlight.outcomes": changes.length } }, write);
  }

  /** The process that took over has marked it uncertain meanwhile, so its answer was only late. */
  async #writeLate(changes: readonly Change[], moved: readonly Recorded[]): Promise<void> {
    const known = new Set(moved.map(({ id }) => id));
    const late = changes.filter((change) => isAcceptance(change) && !known.has(change.id));
    if (late.length === 0) return;
    const answeredLate = late.map((change): Change => ({
      ...change,
      was: "uncertain",
      attempt: undefined,
      event: "answered-late",
    }));
    const settled = await recordEach(this.#db, answeredLate, undefined, this.#onError);
    this.#onRecorded(settled);
  }
}

function isAcceptance({ begun, status }: Change): boolean {
  return begun && (status === "accepted" || status === "delivered");
}
