import type { OutgoingMessage, Progress } from "../channel.ts";

/** One call of `send`: whom to tell, and how many of its messages are still to be accounted for. */
type Call = {
  progress: Progress;
  signal: AbortSignal;
  remaining: number;
  finished: () => void;
};

export type Job = { message: OutgoingMessage; call: Call };

/** The messages of all calls that wait for a session, first come first served. */
export class Work {
  #jobs: Job[] = [];
  #closed = false;

  /** Resolves when each of the messages is done or left alone. */
  add(messages: readonly OutgoingMessage[], progress: Progress, signal: AbortSignal): Promise<void> {
    if (messages.length === 0 || signal.aborted || this.#closed) return Promise.resolve();
    return new Promise((resolve) => {
      const leave = () => this.#leave((job) => job.call === call);
      const finished = () => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const call: Call = { progress, signal, remaining: messages.length, finished };
      signal.addEventListener("abort", leave);
      for (const message of messages) this.#jobs.push({ message, call });
    });
  }

  get waiting(): number {
    return this.#jobs.length;
  }

  take(): Job | undefined {
    return this.#jobs.shift();
  }

  /** For somebody else, before all that wait. */
  giveBack(job: Job): void {
    if (this.isLeft(job)) this.done(job);
    else this.#jobs.unshift(job);
  }

  /** The message was settled or left alone. */
  done({ call }: Job): void {
    call.remaining -= 1;
    if (call.remaining === 0) call.finished();
  }

  /** True for a message taken but not begun, once its call was aborted or the channel closed. */
  isLeft(job: Job): boolean {
    return this.#closed || job.call.signal.aborted;
  }

  leaveAll(): void {
    this.#leave(() => true);
  }

  /** Nothing waits and nothing will. */
  close(): void {
    this.#closed = true;
    this.leaveAll();
  }

  #leave(which: (job: Job) => boolean): void {
    const left = this.#jobs.filter((job) => which(job));
    this.#jobs = this.#jobs.filter((job) => !which(job));
    for (const job of left) this.done(job);
  }
}
