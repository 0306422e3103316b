import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  hkdfSync,
  randomBytes,
  verify,
  type ECDH,
} from "node:crypto";
import * as z from "zod";
import type { EmulatedAnswer, EmulatedApi, EmulatedRequest } from "./emulator.ts";

/**
 * Emulates a browser vendor's push service (RFC 8030, 8188, 8291, 8292) and its browsers. Decrypts each message as the
 * browser would.
 */

type EmulatedBrowser = { keys: ECDH; auth: Buffer; serverKey: string };

export type PushServiceEmulator = EmulatedApi & {
  /** Subscribes a browser that only accepts this server key. `path`: its endpoint's. */
  browser(id: string, serverKey: string): { path: string; p256dh: string; auth: string };
  /** The decrypted payloads, as a service worker would receive them. */
  handedOver: string[];
};

const claims = z.object({
  aud: z.url(),
  exp: z.number(),
  sub: z.string().regex(/^(?:https:\/\/|mailto:)./),
});
const text = z.strictObject({ title: z.string(), body: z.string(), notice: z.int() });

export function pushServiceEmulator(): PushServiceEmulator {
  const browsers = new Map<string, EmulatedBrowser>();
  const handedOver: string[] = [];
  return {
    settings: {},
    note:
      "Shows only the connection test: a browser takes messages from its maker's own service and no other. To see a\n" +
      "  message arrive, turn on notifications in your profile. It then goes through that service, for real.",
    handedOver,
    browser(id, serverKey) {
      const keys = createECDH("prime256v1");
      const browser = { keys, auth: randomBytes(16), serverKey };
      const p256dh = keys.generateKeys("base64url");
      browsers.set(id, browser);
      return { path: `/push/${id}`, p256dh, auth: browser.auth.toString("base64url") };
    },
    answer(request, { received, faults }): EmulatedAnswer {
      const { method, path, headers, bytes } = request;
      if (path === "/") return { status: 200 };
      const id = /^\/push\/(.+)$/.exec(path)?.[1] ?? "";
      const browser = browsers.get(id);
      if (!browser) return { status: 404 };
      if (method !== "POST") return { status: 405 };
      if (faults.refuseKey || !isAuthorized(request, browser)) return { status: 403 };
      if (headers["content-encoding"] !== "aes128gcm") return { status: 415 };
      if (!/^\d+$/.test(headers["ttl"] as string)) return { status: 400 };
      if (!/^(?:very-low|low|normal|high)$/.test(headers["urgency"] as string)) return { status: 400 };
      if (!/^[\w-]{1,32}$/.test(headers["topic"] as string)) return { status: 400 };
      if (bytes.length > 4096) return { status: 413 };
      if (faults.refused.has(id)) return { status: 410 };
      const message = opened(bytes, browser);
      const shown = text.parse(JSON.parse(message));
      handedOver.push(message);
      received.push({ to: id, text: `${shown.title}\n${shown.body}` });
      return { status: 201, headers: { location: `/message/${received.length}` } };
    },
    refusal: () => undefined,
  };
}

function isAuthorized({ headers }: EmulatedRequest, { serverKey }: EmulatedBrowser): boolean {
  const sent = /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(headers.authorization ?? "");
  if (!sent || sent[4] !== serverKey) return false;
  const [, head, body, signature] = sent.map((part) => Buffer.from(part, "base64url"));
  const point = Buffer.from(serverKey, "base64url");
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString("base64url"));
  const key = createPublicKey({ format: "jwk", key: { kty: "EC", crv: "P-256", x: x!, y: y! } });
  const signed = Buffer.from(`${sent[1]}.${sent[2]}`);
  const { aud, exp } = claims.parse(JSON.parse(String(body)));
  const seconds = exp - Date.now() / 1000;
  return (
    JSON.parse(String(head)).alg === "ES256" &&
    verify("sha256", signed, { key, dsaEncoding: "ieee-p1363" }, signature!) &&
    aud === `http://${headers.host}` &&
    seconds > 0 &&
    seconds <= 86_400
  );
}

/** Decrypts like the browser: the header has the salt and the sender's key, the last record ends in 2 (RFC 8188). */
export function opened(body: Buffer, { keys, auth }: Pick<EmulatedBrowser, "keys" | "auth">): string {
  const [salt, sender] = [body.subarray(0, 16), body.subarray(21, 21 + body[20]!)];
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), keys.getPublicKey(), sender]);
  const secret = hkdfSync("sha256", keys.computeSecret(sender), auth, info, 32);
  const part = (name: string, size: number) =>
    Buffer.from(
      hkdfSync("sha256", Buffer.from(secret), salt, Buffer.from(`Content-Encoding: ${name}\0`), size),
    );
  const record = body.subarray(21 + body[20]!);
  const decipher = createDecipheriv("aes-128-gcm", part("aes128gcm", 16), part("nonce", 12));
  decipher.setAuthTag(record.subarray(-16));
  const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()]);
  const end = padded.lastIndexOf(2);
  if (end < 0 || padded.subarray(end + 1).some((byte) => byte !== 0)) throw new Error("No last record");
  return padded.subarray(0, end).toString("utf8");
}
