import type { Outcome, OutgoingMessage, Transport } from "../transports/transport.ts";

/** Sends one message past the queue, for someone who is waiting for its outcome. Nothing is stored, and no receipt is matched. */
export async function sendDirectly(transport: Transport, message: OutgoingMessage): Promise<Outcome> {
  let outcome: Outcome | undefined;
  const settled = (_: OutgoingMessage, came: Outcome) => void (outcome = came);
  const left = (_: OutgoingMessage, because?: Outcome) => void (outcome ??= because);
  await transport.send([message], { settled, left }, new AbortController().signal);
  return outcome ?? { kind: "unavailable", code: "left", detail: "The account is busy. Try again." };
}
