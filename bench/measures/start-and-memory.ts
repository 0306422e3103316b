import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { person } from "../message.ts";
import { importPeople, register, send, startProduct } from "../product.ts";
import { percentile, type Row } from "../table.ts";
import type { Bench } from "./measure.ts";

const STARTS = 3;
const IDLE_MS = 10_000;

/** Start and memory of a product with its own embedded PostgreSQL, whose processes are not counted. */
export async function startAndMemory({ sink, messages }: Bench): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), "porchlight-bench-"));
  const environment = {
    PORCHLIGHT_DATA: dataDir,
    SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    SMTP_FROM: "office@maple.example",
  };
  try {
    const first = await startProduct(environment);
    await register(first);
    await importPeople(first, messages, person);
    const arrived = sink.expect(messages);
    await send(first, "All Tenants", { channels: ["email"] });
    await arrived;
    const { most } = await first.memory();
    await first.stop();

    const starts: number[] = [];
    let idle = NaN;
    for (let n = 0; n < STARTS; n += 1) {
      const again = await startProduct(environment);
      starts.push(again.readyMs / 1000);
      if (n === STARTS - 1) {
        await sleep(IDLE_MS);
        idle = (await again.memory()).now;
      }
      await again.stop();
    }
    return [
      {
        what: "Start on an existing database until ready",
        figure: starts.map((seconds) => `${seconds.toFixed(2)} s`).join(", "),
        value: percentile(starts, 0.5),
        unit: "s",
        aim: { atMost: 2 },
      },
      { what: "Memory, idle", figure: "", value: idle, unit: "MB", aim: { atMost: 200 } },
      {
        what: "Memory, most during an import and a run",
        figure: "",
        value: most,
        unit: "MB",
        aim: { atMost: 350 },
      },
    ];
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
