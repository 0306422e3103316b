import { once } from "node:events";
import { Readable } from "node:stream";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Answer, Part } from "./pdf/printed.ts";

// Each takes a thread with its fonts, some 80 MB, for as long as its reader takes.
const MOST_AT_ONCE = 4;
// More than any report needs: one that goes wrong ends its own thread, not the process.
const MOST_MEGABYTES = 512;
let printing = 0;

// Setting pages keeps a processor busy. One report does so at a time, however many are asked for.
const limit = pLimit(1);

/**
 * The PDF of these parts as a stream. A thread sets them, so that no one else waits for it. The next part is only read
 * when the bytes of the one before it have been taken. Throws too-many-requests.
 */
export function printed(parts: AsyncIterable<Part>): Readable {
  if (printing >= MOST_AT_ONCE) {
    throw refusal("too-many-reports", {}, { retryAfter: 60 });
  }
  return Readable.from(bytesOf(parts), { objectMode: false, highWaterMark: 64 * 1024 });
}

async function* bytesOf(parts: AsyncIterable<Part>): AsyncGenerator<Uint8Array> {
  const worker = new Worker(new URL("./pdf/worker.ts", import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEGABYTES },
  });
  // It may die between two parts, when no one waits for it: without a listener that would end the process.
  const dead = new AbortController();
  worker.on("error", (error) => dead.abort(error)).on("exit", () => dead.abort());
  printing += 1;
  try {
    for await (const part of parts) {
      const { bytes } = await limit(() => printPart(worker, part, dead.signal));
      if (bytes.length > 0) yield bytes;
    }
  } finally {
    printing -= 1;
    await worker.terminate();
  }
}

async function printPart(worker: Worker, part: Part, dead: AbortSignal): Promise<{ bytes: Uint8Array }> {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  worker.postMessage(part);
  const [answer] = (await once(worker, "message", { signal: dead }).catch(() => {
    throw new Error("The report could not be printed: its thread ended.", { cause: dead.reason });
  })) as [Answer];
  if ("error" in answer) throw new Error(`The report could not be printed: ${answer.error}`);
  return answer;
}
