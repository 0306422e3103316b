import { createCipheriv, createECDH, hkdfSync, randomBytes, type ECDH } from "node:crypto";

/** Encrypts a push message for one browser (RFC 8291, as a single record of RFC 8188, aes128gcm). */

const CURVE = "prime256v1";
const RECORD_BYTES = 4096;
/** The delimiter of the last record, without padding. */
const LAST_RECORD = Buffer.from([2]);

type BrowserKeys = {
  /** The public key: an uncompressed P-256 point in base64url. */
  p256dh: string;
  /** The authentication secret: 16 bytes in base64url. */
  auth: string;
};

/** Generated for each message, except in tests. */
type Ephemeral = { salt: Buffer; sender: ECDH };

/**
 * Returns the request's body. Fits up to 3,993 bytes of text into 4,096.
 *
 * @throws {Error} if the browser's key is invalid
 */
export function encrypt(
  text: Buffer,
  { p256dh, auth }: BrowserKeys,
  { salt, sender }: Ephemeral = ephemeral(),
): Buffer {
  const receiver = Buffer.from(p256dh, "base64url");
  const shared = sender.computeSecret(receiver);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), receiver, sender.getPublicKey()]);
  const key = derive(shared, Buffer.from(auth, "base64url"), info, 32);
  const contentKey = derive(key, salt, Buffer.from("Content-Encoding: aes128gcm\0"), 16);
  const nonce = derive(key, salt, Buffer.from("Content-Encoding: nonce\0"), 12);
  const cipher = createCipheriv("aes-128-gcm", contentKey, nonce);
  const record = [cipher.update(text), cipher.update(LAST_RECORD), cipher.final(), cipher.getAuthTag()];
  const recordSize = Buffer.alloc(4);
  recordSize.writeUInt32BE(RECORD_BYTES);
  const senderKey = sender.getPublicKey();
  return Buffer.concat([salt, recordSize, Buffer.from([senderKey.length]), senderKey, ...record]);
}

function ephemeral(): Ephemeral {
  const sender = createECDH(CURVE);
  sender.generateKeys();
  return { salt: randomBytes(16), sender };
}

function derive(key: Buffer, salt: Buffer, info: Buffer, bytes: number): Buffer {
  return Buffer.from(hkdfSync("sha256", key, salt, info, bytes));
}
