import { setTimeout as sleep } from "node:timers/promises";
import { person } from "../message.ts";
import { groupNamed, importPeople, send } from "../product.ts";
import { now } from "../sink-process.ts";
import { count, type Row } from "../table.ts";
import type { Bench } from "./measure.ts";

const STAFF = 50;
/** Messages a second that the account allows. */
const RATE = 100;
/** Right after the click, while people are still being added, and once sending has settled. */
const AFTER_MS = [0, 1000, 5000];

/** How long the last of 50 people waits for an emergency that is sent during a bulk run under a rate limit. */
export function emergency({ worlds, sink, people }: Bench): Promise<Row[]> {
  const environment = {
    SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    SMTP_FROM: "office@maple.example",
    SMTP_RATE: String(RATE),
  };
  return worlds.with(environment, async (world) => {
    // The administrator is on the staff, too, and has another address.
    await importPeople(world, STAFF, (n) => ({
      ...person(people + n),
      email: `urgent.${n}@example.com`,
      role: "staff",
    }));
    await importPeople(world, people, person);
    await send(world, "All Tenants", { channels: ["email"] });
    const staff = await groupNamed(world, "All Staff");
    const waits: number[] = [];
    for (const after of AFTER_MS) {
      await sleep(after);
      const arrived = sink.expect(STAFF, "urgent");
      const started = now();
      await send(world, staff, { channels: ["email"], class: "emergency" });
      waits.push(((await arrived) - started) / 1000);
    }
    return [
      {
        what: `Emergency to ${STAFF} during a run to ${count(people)} at ${RATE} a second: the last one`,
        figure: waits.map((seconds) => `${seconds.toFixed(2)} s`).join(", "),
        value: Math.max(...waits),
        unit: "s",
        aim: { atMost: 2 },
      },
    ];
  });
}
