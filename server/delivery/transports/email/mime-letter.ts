import type { OutgoingMessage, Outcome } from "../transport.ts";
import { perRun } from "../per-run.ts";
import { referenceOf } from "../webhook.ts";
import { mailAddress, NO_SMTPUTF8, notAnAddress } from "./address.ts";
import { mailWriter, type Mail } from "./mime.ts";

/** A complete MIME message, for an API that accepts one. `reference`: from `referenceOf`. */
export type MimeLetter = Mail & { to: string; reference: string };

/** Throws UnfilledFieldsError. */
export function mimeLetters(from: {
  name: string;
  address: string;
}): (message: OutgoingMessage) => MimeLetter | { refused: Outcome } {
  const writerOf = perRun((content) => mailWriter(content, from));
  return (message) => {
    const to = mailAddress(message.address);
    if (!to) return { refused: notAnAddress(message.address) };
    if (to.international) return { refused: NO_SMTPUTF8 };
    const mail = writerOf(message.content)({ ...message, address: to.address }, new Date());
    return { ...mail, to: to.address, reference: referenceOf(message) };
  };
}
