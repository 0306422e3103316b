import { attachedBytes } from "#server/delivery/content/encoded-attachment.ts";
import type { Failure, OutgoingMessage, Progress } from "./transport.ts";

/** One call of `send`: its callbacks, and how many of its messages are still open. */
type Call = {
  progress: Progress;
  signal: AbortSignal;
  remaining: number;
  finished: () => void;
};

/** `bytes`: the size of its attachments as transmitted. */
export type Job = { message: OutgoingMessage; call: Call; bytes: number };

/** 64 kB per second: the slowest link on which we expect a large message to get through. */
export const SLOWEST_BYTES_PER_MS = 64;

/**
 * All connections share one link, so sending more in parallel would not finish sooner; each message would only take so
 * long that it looked hung. An ordinary link moves this much in a few seconds.
 */
const BYTES_AT_ONCE = 8 * 2 ** 20;
/** Messages up to this size never wait for room. */
const SHORT = 256 * 1024;

/**
 * The queue of messages from all calls of `send`. Emergencies first, then first in, first out, except that short messages
 * pass large ones that wait for room on the link.
 */
export class SendQueue {
  #jobs: Job[] = [];
  #bytesTaken = 0;
  #closed = false;
  readonly #bytesOf: (message: OutgoingMessage) => number;

  /** `bytesOf`: the bytes that count toward the link's limit, by default the message's attachments. */
  constructor(bytesOf: (message: OutgoingMessage) => number = ({ content }) => attachedBytes(content)) {
    this.#bytesOf = bytesOf;
  }

  /** Resolves when each message is done or left. */
  add(messages: readonly OutgoingMessage[], progress: Progress, signal: AbortSignal): Promise<void> {
    if (messages.length === 0 || signal.aborted || this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      const leave = () => this.#leaveWhere((job) => job.call === call);
      const finished = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const call: Call = { progress, signal, remaining: messages.length, finished };
      signal.addEventListener("abort", leave);
      for (const message of messages) this.#jobs.push({ message, call, bytes: this.#bytesOf(message) });
      this.#jobs.sort(urgentFirst);
    });
  }

  /** Whether a message is available now. */
  get ready(): boolean {
    return this.#next() >= 0;
  }

  /** The next job, if it is `wanted`. The caller owns it until `done`, `left` or `giveBack`. */
  take(wanted: (job: Job) => boolean = () => true): Job | undefined {
    const index = this.#next();
    if (index < 0 || !wanted(this.#jobs[index]!)) return undefined;
    const [job] = this.#jobs.splice(index, 1);
    this.#bytesTaken += job!.bytes;
    return job;
  }

  /** Returns a job to the front of the queue, behind emergencies. */
  giveBack(job: Job): void {
    if (this.isLeft(job)) return this.left(job);
    this.#bytesTaken -= job.bytes;
    this.#jobs.unshift(job);
    this.#jobs.sort(urgentFirst);
  }

  /** The message was settled, or must not be sent. */
  done(job: Job): void {
    this.#bytesTaken -= job.bytes;
    account(job.call);
  }

  /** Skips a job that was taken. */
  left(job: Job, because?: Failure): void {
    job.call.progress.left?.(job.message, because);
    this.done(job);
  }

  /** Whether a job that was taken must be skipped, because its call was aborted or the transport closed. */
  isLeft(job: Job): boolean {
    return this.#closed || job.call.signal.aborted;
  }

  /** Skips all waiting messages because of another message's outcome. */
  leaveAll(because: Failure): void {
    this.#leaveWhere(() => true, because);
  }

  /** Skips all waiting messages and accepts no more. */
  close(): void {
    this.#closed = true;
    this.#leaveWhere(() => true);
  }

  #next(): number {
    let passed = false;
    return this.#jobs.findIndex(({ bytes }) => {
      if (bytes <= SHORT) return true;
      if (passed || !this.#hasRoom(bytes)) passed = true;
      return !passed;
    });
  }

  /** A message larger than the limit is sent alone. */
  #hasRoom(bytes: number): boolean {
    return this.#bytesTaken === 0 || this.#bytesTaken + bytes <= BYTES_AT_ONCE;
  }

  #leaveWhere(which: (job: Job) => boolean, because?: Failure): void {
    const left = this.#jobs.filter((job) => which(job));
    this.#jobs = this.#jobs.filter((job) => !which(job));
    for (const { message, call } of left) {
      call.progress.left?.(message, because);
      account(call);
    }
  }
}

function urgentFirst(one: Job, other: Job): number {
  return Number(other.message.urgent) - Number(one.message.urgent);
}

function account(call: Call): void {
  call.remaining -= 1;
  if (call.remaining === 0) call.finished();
}
