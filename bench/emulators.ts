import { startEmulator } from "#emulators/emulator.ts";
import { onesignalEmulator } from "#emulators/onesignal.ts";
import { twilioEmulator } from "#emulators/twilio.ts";

/** The providers at the other end, in a process of their own. Says once where they are, then how much each got. */

export type EmulatorPlaces = { twilio: string; onesignal: string };

/** Without receipts, which would come at once and cost more than the texts. The row about webhooks measures those. */
const twilio = await startEmulator({
  ...twilioEmulator,
  answer: async (...asked) => ({ ...(await twilioEmulator.answer(...asked)), calls: [] }),
});
const onesignal = await startEmulator(onesignalEmulator());
process.send?.({ twilio: twilio.url, onesignal: onesignal.url } satisfies EmulatorPlaces);
process.on("message", () => {
  process.send?.({ twilio: twilio.received.length, onesignal: onesignal.received.length });
  // What has been counted is not kept.
  for (const { requests } of [twilio, onesignal]) requests.length = 0;
});
process.on("disconnect", () => process.exit(0));
