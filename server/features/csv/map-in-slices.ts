import { setImmediate } from "node:timers/promises";

const SLICE = 100;

/** Works on many rows without blocking other requests, which get their turn after each slice. */
export async function mapInSlices<T, R>(
  rows: readonly T[],
  work: (row: T, place: number) => R,
): Promise<R[]> {
  const done: R[] = [];
  for (const [place, row] of rows.entries()) {
    if (place > 0 && place % SLICE === 0) await setImmediate();
    done.push(work(row, place));
  }
  return done;
}
