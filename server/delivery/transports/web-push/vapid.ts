import { createPrivateKey, generateKeyPairSync, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";

/** How a push service knows who sends: a key of our own, by which a browser accepts messages from no one else (RFC 8292). */

/** A pair of P-256 in base64url: the public key as an uncompressed point, the private one as its number. */
export type VapidKeys = { publicKey: string; privateKey: string };

/** Services accept at most a day. */
const VALID_SECONDS = 12 * 3600;

export function makeKeys(): VapidKeys {
  const { x, y, d } = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.from([4]), bytes(x!), bytes(y!)]);
  return { publicKey: point.toString("base64url"), privateKey: d! };
}

/**
 * What the Authorization header says to a push service.
 *
 * @param service its origin
 * @param contact an https: or mailto: address by which it can reach who sends
 */
export function authorization(keys: VapidKeys, service: string, contact: string): string {
  const exp = Math.floor(Date.now() / 1000) + VALID_SECONDS;
  const claims = [
    { typ: "JWT", alg: "ES256" },
    { aud: service, exp, sub: contact },
  ];
  const signed = claims.map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  const signature = sign("sha256", Buffer.from(signed), { key: keyOf(keys), dsaEncoding: "ieee-p1363" });
  return `vapid t=${signed}.${signature.toString("base64url")}, k=${keys.publicKey}`;
}

function keyOf({ publicKey, privateKey }: VapidKeys): KeyObject {
  const point = bytes(publicKey);
  const key = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
    d: privateKey,
  };
  return createPrivateKey({ format: "jwk", key });
}

const bytes = (text: string) => Buffer.from(text, "base64url");
