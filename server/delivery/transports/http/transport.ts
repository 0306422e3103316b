import { setTimeout as sleep } from "node:timers/promises";
import { attachedBytes } from "#server/delivery/content/encoded-attachment.ts";
import { apiClient, type ApiAnswer, type ApiRequest, type Ask } from "./api-client.ts";
import { foreignCheck, verdictOf, type OwnFormat } from "./own-format.ts";
import { checkWithin } from "../check-within.ts";
import { readable } from "../readable.ts";
import type {
  Check,
  Failure,
  LookUp,
  Outcome,
  OutgoingMessage,
  Progress,
  RunContent,
  Transport,
} from "../transport.ts";
import { unwritable } from "../unwritable.ts";
import { SendQueue, SLOWEST_BYTES_PER_MS, type Job } from "../send-queue.ts";

/** The provider-specific part of a web API. `Letter`: one recipient's message in the provider's format. */
export type HttpProvider<Letter extends object> = {
  /** The API's base URL, without a trailing slash. */
  url: string;
  /** Redacted in everything the provider says. */
  secrets: readonly string[];
  /** The most messages in one request, all from one run. A crash leaves that many in doubt. */
  batch: number;
  /**
   * The approximate bytes that each message of this run adds to a request, if a request contains complete messages. Omit
   * it if a request contains the run's text and attachments only once.
   */
  bytesOf?: (content: RunContent) => number;
  /** Whether each message of this run needs a separate request. */
  alone?: (content: RunContent) => boolean;
  /** Concurrent requests. */
  requests: number;
  /** Requests carry an idempotency key, so they can be repeated safely. */
  keyed?: true;
  /**
   * Throws UnfilledFieldsError. `refused` is the outcome of a message that the provider would not accept. May look up data
   * about the recipient.
   */
  write(message: OutgoingMessage): Written<Letter> | Promise<Written<Letter>>;
  request(letters: readonly [Letter, ...Letter[]], content: RunContent): ApiRequest;
  /** How it answers. What isn't in this format is no verdict. */
  own: OwnFormat;
  /**
   * What a response means, for all messages or for each in request order. "again": not processed, only because others in
   * the request were refused, so it is resent without those. "split": not processed, and unclear which message is at
   * fault, so each half is resent on its own.
   */
  read(answer: ApiAnswer, letters: readonly Letter[]): Verdict;
  /** A cheap read-only call. */
  check(ask: Ask): Promise<Check | Failure>;
  /** For `queryable` providers: looks up a message by reference. */
  lookUp?: { request: (reference: string) => ApiRequest; read: (answer: ApiAnswer) => LookUp };
};

/** For providers without a single API, where each message goes to its recipient's hosts. */
export type ManyHostsProvider<Letter extends object> = Pick<
  HttpProvider<Letter>,
  "secrets" | "batch" | "bytesOf" | "alone" | "requests" | "write"
> & {
  /** Does not reject. */
  post(letters: readonly [Letter, ...Letter[]]): Promise<Verdict>;
  check(): Promise<Check | Failure>;
};

export type Written<Letter> = Letter | { refused: Outcome };

export type Verdict = Outcome | "split" | readonly (Outcome | "again")[];

type Entry<Letter> = { job: Job; letter: Letter };

const TIMEOUT_MS = 20_000;
/** The size limit of a request with complete messages, unless a single one is larger: one minute on a slow link. */
const REQUEST_BYTES = 4 * 2 ** 20;
/** The delay before a keyed request is repeated, so that the first one can finish. */
const REPEAT_MS = 500;

/** Sends through a web API. Each request carries a batch of messages from one run. */
export class HttpTransport<Letter extends object> implements Transport {
  readonly concurrency: number;
  readonly lookUp: Transport["lookUp"];
  readonly #provider: HttpProvider<Letter> | ManyHostsProvider<Letter>;
  readonly #timeoutMs: number;
  readonly #queue: SendQueue;
  readonly #loops = new Set<Promise<void>>();

  constructor(provider: HttpProvider<Letter> | ManyHostsProvider<Letter>, timeoutMs = TIMEOUT_MS) {
    this.#provider = provider;
    this.#timeoutMs = timeoutMs;
    this.#queue = provider.bytesOf ? new SendQueue() : new SendQueue(() => 0);
    this.concurrency = provider.batch * provider.requests;
    if ("lookUp" in provider && provider.lookUp) {
      const { request, read } = provider.lookUp;
      this.lookUp = async (reference) => {
        const answer = await apiClient(provider.url, timeoutMs)(request(reference));
        return "kind" in answer ? { unanswered: answer.detail } : read(answer);
      };
    }
  }

  send(messages: readonly OutgoingMessage[], progress: Progress, signal: AbortSignal): Promise<void> {
    const finished = this.#queue.add(messages, progress, signal);
    while (this.#loops.size < this.#provider.requests && this.#queue.ready) {
      const loop = this.#loop().finally(() => this.#loops.delete(loop));
      this.#loops.add(loop);
    }
    return finished;
  }

  timeoutMs({ content }: OutgoingMessage): number {
    const { bytesOf } = this.#provider;
    const bytes = bytesOf ? this.#most(content) * bytesOf(content) : attachedBytes(content);
    return Math.ceil(this.#timeoutMs + bytes / SLOWEST_BYTES_PER_MS);
  }

  /** The most messages of this run in one request. */
  #most(content: RunContent): number {
    const { batch, bytesOf, alone } = this.#provider;
    if (alone?.(content)) return 1;
    return bytesOf ? Math.max(1, Math.min(batch, Math.floor(REQUEST_BYTES / bytesOf(content)))) : batch;
  }

  /** A provider may be asked twice, but gets little more time than for one answer. */
  check(): Promise<Check> {
    return checkWithin(this.#timeoutMs * 1.25, "The provider's API", () => this.#check());
  }

  async #check(): Promise<Check> {
    const provider = this.#provider;
    const checked = "post" in provider ? provider.check() : provider.check(this.#ask(provider.url));
    const result = this.#cleaned(await checked);
    if ("ok" in result) return result;
    const { kind, code, detail } = result;
    return { ok: false, of: kind === "misconfigured" ? kind : "unavailable", code, detail };
  }

  #ask(url: string): Ask {
    const ask = apiClient(url, this.#timeoutMs);
    return async (request) => {
      const answer = await ask(request);
      return "kind" in answer ? answer : (foreignCheck(answer) ?? answer);
    };
  }

  async close(): Promise<void> {
    this.#queue.close();
    await Promise.all(this.#loops);
  }

  async #loop(): Promise<void> {
    for (let jobs = this.#take(); jobs.length > 0; jobs = this.#take()) {
      const entries = await this.#begin(jobs);
      await this.#post(entries);
    }
  }

  /** Takes a request's worth of messages from one run. */
  #take(): Job[] {
    const jobs: Job[] = [];
    for (let job = this.#queue.take(); job; job = this.#queue.take()) {
      if (jobs[0] && job.message.content !== jobs[0].message.content) {
        this.#queue.giveBack(job);
        break;
      }
      jobs.push(job);
      if (jobs.length === this.#most(job.message.content)) break;
    }
    return jobs;
  }

  /** Begins the messages that can be written and are still to be sent. */
  async #begin(jobs: readonly Job[]): Promise<Entry<Letter>[]> {
    const begun = await Promise.all(
      jobs.map(async (job) => {
        const written = await this.#write(job.message);
        if (this.#queue.isLeft(job)) return this.#queue.left(job);
        if ("refused" in written) return this.#settle(job, written.refused);
        if ((await job.call.progress.begun?.(job.message)) === false) return this.#queue.done(job);
        return { job, letter: written };
      }),
    );
    return begun.filter((entry) => entry !== undefined);
  }

  async #post(entries: readonly Entry<Letter>[]): Promise<void> {
    const [first] = entries;
    if (!first) return;
    const letters = entries.map(({ letter }) => letter) as [Letter, ...Letter[]];
    const advance = () => {
      for (const { job } of entries) job.call.progress.advanced?.(job.message);
    };
    const verdict = await this.#exchange(letters, first.job.message, advance);
    if (verdict === "split") {
      const half = Math.ceil(entries.length / 2);
      await this.#post(entries.slice(0, half));
      return this.#post(entries.slice(half));
    }
    const again: Entry<Letter>[] = [];
    for (const [index, entry] of entries.entries()) {
      const outcome = isEach(verdict) ? verdict[index]! : verdict;
      if (outcome === "again") again.push(entry);
      else await this.#settle(entry.job, outcome);
    }
    return this.#post(again);
  }

  async #exchange(
    letters: readonly [Letter, ...Letter[]],
    message: OutgoingMessage,
    advance: () => void,
  ): Promise<Verdict> {
    const provider = this.#provider;
    advance();
    if ("post" in provider) return provider.post(letters);
    const request = provider.request(letters, message.content);
    const ask = async (): Promise<Verdict> => {
      const { url, keyed, own } = provider;
      const answer = await apiClient(url, this.timeoutMs(message), { keyed })(request);
      return "kind" in answer
        ? answer
        : verdictOf(answer, own, letters.length, () => provider.read(answer, letters));
    };
    const first = await ask();
    if (!provider.keyed || !isUncertain(first)) return first;
    await sleep(REPEAT_MS);
    advance();
    const second = await ask();
    return isEach(second) || second === "split" || isFinal(second) ? second : first;
  }

  async #settle(job: Job, outcome: Outcome): Promise<void> {
    const shown = this.#cleaned(outcome);
    if (concernsAccount(shown)) this.#queue.leaveAll(shown);
    await job.call.progress.settled(job.message, shown);
    this.#queue.done(job);
  }

  async #write(message: OutgoingMessage): Promise<Written<Letter>> {
    try {
      return await this.#provider.write(message);
    } catch (error) {
      return { refused: unwritable(error) };
    }
  }

  #cleaned<Said extends Outcome | Check>(said: Said): Said {
    if (said.detail === undefined) return said;
    let { detail } = said;
    for (const secret of this.#provider.secrets) {
      if (secret !== "") detail = detail.replaceAll(secret, "••••");
    }
    return { ...said, detail: readable(detail) };
  }
}

const isUncertain = (verdict: Verdict) =>
  typeof verdict === "object" && !isEach(verdict) && verdict.kind === "uncertain";

/** Whether it settles the outcome of an earlier, identical request. */
const isFinal = ({ kind }: Outcome) => kind === "accepted" || kind === "refused";

function isEach(verdict: Verdict): verdict is readonly (Outcome | "again")[] {
  return Array.isArray(verdict);
}

function concernsAccount(outcome: Outcome): outcome is Failure {
  const { kind } = outcome;
  return (
    kind === "throttled" || kind === "misconfigured" || (kind === "unavailable" && outcome.account === true)
  );
}
