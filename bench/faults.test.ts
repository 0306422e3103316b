import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

const FAULTS = 43;
/**
 * Broken lines to the provider, slow and dead networks, full disks: some need root, the others a machine that is not
 * too slow.
 */
const byHand = [25, 26, 27, 28, 29, 30];
/** What another one shows, with a second or third kind of provider, of clock or of silence. `npm run faults` tries them. */
const kin = [8, 11, 12, 14, 15, 20, 34, 35];
/** They mostly wait. */
const AT_ONCE = 4;

test("the small storm: processes die, databases fail and providers misbehave under load, and the books balance", async () => {
  const small = Array.from({ length: FAULTS }, (_, index) => index + 1).filter(
    (n) => ![...byHand, ...kin].includes(n),
  );
  const storms = Array.from({ length: AT_ONCE }, (_, part) =>
    run(small.filter((_fault, index) => index % AT_ONCE === part)),
  );
  try {
    const ended = await Promise.all(storms.map(({ done }) => done));
    expect(ended.filter(({ code }) => code !== 0)).toEqual([]);
    const printed = ended.map((storm) => storm.printed).join("");
    expect(
      printed
        .match(/^\d+/gm)
        ?.map(Number)
        .toSorted((a, b) => a - b),
    ).toEqual(small);
    expect(printed).toMatch(/^\d+ random processes killed, an? \w+ provider: .* 3 kills/m);
  } finally {
    for (const { child } of storms) child.kill("SIGKILL");
  }
  // Longer than the program waits for anything.
}, 1_200_000);

/** Each with a PostgreSQL of its own, which some of the faults kill. */
function run(faults: readonly number[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, "faults.ts"), ...faults.map(String)], {
    env: { ...process.env, DATABASE_URL: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const done = Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]).then(
    ([printed, errors, [code]]) => ({ code, printed, errors }),
  );
  return { child, done };
}
