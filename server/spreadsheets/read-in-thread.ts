import { on } from "node:events";
import { Worker } from "node:worker_threads";
import { homeDates } from "#contract/text/home-dates.ts";
import { homeNumbers } from "#contract/text/home-numbers.ts";
import { type Part, UnreadableWorkbook } from "./workbook.ts";
import type { Answer, Given } from "./worker.ts";

// Enough for the largest workbook that is accepted: one that takes more ends its own thread, not the process.
const MOST_MEGABYTES = 120;
const MOST_SECONDS = 20;

/**
 * Reads a workbook in a thread of its own, so that no one waits for it. Throws UnreadableWorkbook.
 * @param encoding the one that someone chose for a text file
 */
export async function* readInThread(file: Uint8Array, encoding?: string): AsyncGenerator<Part> {
  const bytes = new Uint8Array(file);
  const worker = new Worker(new URL("./worker.ts", import.meta.url), {
    workerData: { bytes, dates: homeDates(), numbers: homeNumbers(), encoding } satisfies Given,
    transferList: [bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES, maxYoungGenerationSizeMb: 16 },
  });
  const late = AbortSignal.timeout(MOST_SECONDS * 1000);
  const ended = new AbortController();
  // It may fail when no one waits for it: without a listener that would end the process.
  worker.on("error", () => ended.abort()).on("exit", () => ended.abort());
  try {
    for await (const [answer] of on(worker, "message", { signal: AbortSignal.any([late, ended.signal]) })) {
      const given = answer as Answer;
      if ("end" in given) return;
      if ("trouble" in given) throw new UnreadableWorkbook(given.trouble, given.cause);
      yield given.part;
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage("next");
    }
  } catch (error) {
    if (error instanceof UnreadableWorkbook || !isSpent(error)) throw error;
    throw new UnreadableWorkbook("too-large", error);
  } finally {
    await worker.terminate();
  }
}

/** It ran out of memory or time. */
const isSpent = (error: unknown) =>
  error instanceof Error &&
  ((error as NodeJS.ErrnoException).code === "ERR_WORKER_OUT_OF_MEMORY" || error.name === "AbortError");
