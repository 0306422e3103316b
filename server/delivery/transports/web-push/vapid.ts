import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from "node:crypto";

/** VAPID (RFC 8292): identifies us to push services by a key that browsers are subscribed with. */

/** A P-256 key pair in base64url: the public key as an uncompressed point, the private key as a scalar. */
export type VapidKeys = { publicKey: string; privateKey: string };

/** Services accept at most a day. */
const VALID_SECONDS = 12 * 3600;

export function makeKeys(): VapidKeys {
  const { x, y, d } = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  const point = Buffer.concat([Buffer.from([4]), bytes(x!), bytes(y!)]);
  return { publicKey: point.toString("base64url"), privateKey: d! };
}

/**
 * The Authorization header for a push service.
 *
 * @param service its origin
 * @param contact an https: or mailto: URL of the sender
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
