import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";
import { setHomeDates, type DateForm } from "#contract/text/home-dates.ts";
import { type NumberForm, setHomeNumbers } from "#contract/text/home-numbers.ts";
import { readWorkbook } from "./read-workbook.ts";
import { type Part, UnreadableWorkbook, type WorkbookTrouble } from "./workbook.ts";

/** The thread that reads a workbook. It goes on when its last part has been taken, so that neither side piles up. */

export type Given = { bytes: Uint8Array; dates: DateForm; numbers: NumberForm; encoding: string | undefined };
export type Answer = { part: Part } | { trouble: WorkbookTrouble; cause: string } | { end: true };

const { bytes, dates, numbers, encoding } = workerData as Given;
const port = parentPort!;
setHomeDates(dates);
setHomeNumbers(numbers);

async function answer(given: Answer): Promise<void> {
  // Listens first: the parent may ask at once.
  const asked = "part" in given ? once(port, "message") : undefined;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  port.postMessage(given);
  await asked;
}

try {
  for await (const part of readWorkbook(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), encoding))
    await answer({ part });
  await answer({ end: true });
} catch (error) {
  if (!(error instanceof UnreadableWorkbook)) throw error;
  await answer({ trouble: error.trouble, cause: error.cause instanceof Error ? error.cause.message : "" });
}
port.close();
