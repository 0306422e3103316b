import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Channel } from "#contract/delivery.ts";
import { onesignalEmulator } from "#emulators/onesignal.ts";
import { twilioEmulator } from "#emulators/twilio.ts";
import type { EmulatorPlaces } from "../emulators.ts";
import { person } from "../message.ts";
import { delivered, groupNamed, importPeople, send, turnPushOn, type World } from "../product.ts";
import { now } from "../sink-process.ts";
import { count, type Row } from "../table.ts";
import type { Bench } from "./measure.ts";

/**
 * Texts and push notifications to the emulators, as ratios to email through the same product. Each kind has a run of its
 * own to the same people. OneSignal takes an idempotency key. No text provider that we support does.
 */
export async function otherChannels({ worlds, sink, messages }: Bench): Promise<Row[]> {
  const emulators = fork(join(import.meta.dirname, "../emulators.ts"));
  const [places] = (await once(emulators, "message")) as [EmulatorPlaces];
  const environment = {
    SMTP_URL: `smtp://127.0.0.1:${sink.port}`,
    SMTP_FROM: "office@maple.example",
    TWILIO_API_URL: places.twilio,
    ONESIGNAL_API_URL: places.onesignal,
  };
  try {
    return await worlds.with(environment, async (world) => {
      await connectAccount(world, "sms", "twilio", twilioEmulator.settings);
      await connectAccount(world, "push", "onesignal", onesignalEmulator().settings);
      await importPeople(world, messages, person);
      await turnPushOn(world);
      const tenants = await groupNamed(world, "All Tenants");
      const run = async (channel: Channel, arrived: () => Promise<number>) => {
        const started = now();
        const id = await send(world, tenants, { channels: [channel] });
        const ms = (await arrived()) - started;
        await delivered(world, id);
        return (messages * 1000) / ms;
      };
      const email = await run("email", () => sink.expect(messages));
      const sms = await run("sms", () => received(emulators, "twilio", messages));
      const push = await run("push", () => received(emulators, "onesignal", messages));
      const beside = (what: string, rate: number): Row => ({
        what,
        figure: `${count(rate)} and ${count(email)} messages/s`,
        value: rate / email,
        unit: "x",
        aim: { atLeast: 2 },
      });
      return [
        beside("Texts to Twilio's emulator ÷ email", sms),
        beside("Push to OneSignal's emulator ÷ email", push),
      ];
    });
  } finally {
    emulators.disconnect();
  }
}

async function connectAccount(
  world: World,
  channel: Channel,
  kind: string,
  settings: Readonly<Record<string, string>>,
): Promise<void> {
  await world.call("POST", "/api/integrations", { channel, kind, settings });
  for (;;) {
    const { rows } = await sql`SELECT FROM accounts WHERE kind = ${kind} AND state = 'ok'`.execute(world.db);
    if (rows.length > 0) return;
    await sleep(50);
  }
}

/** Resolves with the time at which an emulator has taken that many, to a hundredth of a second. */
async function received(emulators: ChildProcess, which: keyof EmulatorPlaces, most: number): Promise<number> {
  for (;;) {
    emulators.send("count");
    const [taken] = (await once(emulators, "message")) as [Record<keyof EmulatorPlaces, number>];
    if (taken[which] >= most) return now();
    await sleep(10);
  }
}
