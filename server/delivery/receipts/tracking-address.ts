import { createHmac } from "node:crypto";
import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { isLoopback } from "../transports/loopback.ts";
import { sameSignature } from "../transports/same-signature.ts";
import { placeOf } from "../transports/webhook.ts";
import type { OutgoingMessage } from "../transports/transport.ts";

/** Creates the addresses in tracked emails. */
export type Tracker = {
  /** Our own origin. */
  site: string;
  /** The base URL of this message's image and links, without a trailing slash. */
  addressOf(message: Pick<OutgoingMessage, "deliveryId" | "round">): string;
};

/** A tracked email: its delivery, and how often someone had retried it. */
export type TrackedMail = { deliveryId: number; round: number };

export const TRACKING_PATH = "/m";

export async function readTrackingKey(db: Db): Promise<string> {
  const { rows } = await sql<{ key: string }>`SELECT key FROM tracking_key`.execute(db);
  return rows[0]!.key;
}

/** Whether other devices can reach this server. Otherwise nothing can be tracked. */
export const isPublic = (publicUrl: URL) => !isLoopback(publicUrl.hostname);

export function trackerFor(key: string, publicUrl: URL): Tracker | undefined {
  if (!isPublic(publicUrl)) return undefined;
  const { origin } = publicUrl;
  return {
    site: origin,
    addressOf(message) {
      const place = placeOf(message);
      return `${origin}${TRACKING_PATH}/${place}-${signatureOf(key, place)}`;
    },
  };
}

/** The email that this token is for; null if the signature is wrong. Needs no database lookup. */
export function readTrackingToken(key: string, token: string): TrackedMail | null {
  const [, place, delivery, round = "0", signature] =
    /^((\d{1,15})(?:r(\d{1,4}))?)-([\w-]{22})$/.exec(token) ?? [];
  if (place === undefined || !sameSignature(signature, signatureOf(key, place))) return null;
  return { deliveryId: Number(delivery), round: Number(round) };
}

/** 128 bits: can't be guessed, and keeps addresses short. */
function signatureOf(key: string, place: string): string {
  return createHmac("sha256", key).update(place).digest().subarray(0, 16).toString("base64url");
}
