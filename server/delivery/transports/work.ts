import type { Failure, OutgoingMessage, Progress } from "./transport.ts";

/** One call of `send`: its callbacks, and how many of its messages are not accounted for yet. */
type Call = {
  progress: Progress;
  signal: AbortSignal;
  remaining: number;
  finished: () => void;
};

/** `bytes`: the size of its attachments as transmitted. */
export type Job = { message: OutgoingMessage; call: Call; bytes: number };

/**
 * All connections share one line. More in parallel would not finish sooner; each would only take so long that it looked
 * hung. An ordinary line moves this much in a few seconds.
 */
const BYTES_AT_ONCE = 8 * 2 ** 20;
/** A message up to this size waits for no other. */
const SHORT = 256 * 1024;

/**
 * The messages of all calls that wait for a session. First come, first served, except that short ones, such as
 * emergencies, pass long ones that wait for room on the line.
 */
export class Work {
  #jobs: Job[] = [];
  #bytesTaken = 0;
  #closed = false;
  readonly #bytesOf: (message: OutgoingMessage) => number;

  /** `bytesOf`: what a message alone puts on the line. */
  constructor(bytesOf: (message: OutgoingMessage) => number = attachedBytes) {
    this.#bytesOf = bytesOf;
  }

  /** Resolves when each of the messages is done or was left alone. */
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
    });
  }

  /** Whether a message is available now. */
  get ready(): boolean {
    return this.#next() >= 0;
  }

  /** The caller holds it until it is `done`, `left` or given back. */
  take(): Job | undefined {
    const index = this.#next();
    if (index < 0) return undefined;
    const [job] = this.#jobs.splice(index, 1);
    this.#bytesTaken += job!.bytes;
    return job;
  }

  /** Returns it for another connection, ahead of all that wait. */
  giveBack(job: Job): void {
    if (this.isLeft(job)) return this.left(job);
    this.#bytesTaken -= job.bytes;
    this.#jobs.unshift(job);
  }

  /** The message was settled, or is not the caller's to send. */
  done(job: Job): void {
    this.#bytesTaken -= job.bytes;
    account(job.call);
  }

  /** The message was taken and is left alone. */
  left(job: Job, because?: Failure): void {
    job.call.progress.left?.(job.message, because);
    this.done(job);
  }

  /** True for a message that was taken but not begun when its call was aborted or the channel closed. */
  isLeft(job: Job): boolean {
    return this.#closed || job.call.signal.aborted;
  }

  /** Leaves all waiting messages because of this outcome of another. */
  leaveAll(because: Failure): void {
    this.#leaveWhere(() => true, because);
  }

  /** Nothing waits and nothing will. */
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

  /** A message larger than the whole room is sent alone. */
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

function attachedBytes({ content }: OutgoingMessage): number {
  return content.attachments.reduce((sum, { base64 }) => sum + base64.length, 0);
}

function account(call: Call): void {
  call.remaining -= 1;
  if (call.remaining === 0) call.finished();
}
