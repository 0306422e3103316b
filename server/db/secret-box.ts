import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";

/** The key that a ciphertext names is not here, or what is stored was altered or moved from another place. */
export class UnreadableSecretError extends Error {
  override name = "UnreadableSecretError";
}

const VERSION = "v1";
export const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets for the database with AES-256-GCM. A ciphertext is `v1:key id:nonce:data and tag`, the last two in
 * base64url. It opens only with the key that its id names, and only at the `place` it was sealed for ("account 7
 * apiKey"), so that nothing can be moved from one row or field to another.
 */
export class SecretBox {
  readonly #keys: ReadonlyMap<string, Buffer>;
  readonly #current: string;

  /** Each key has 32 bytes. The first one encrypts; the others only decrypt what was sealed before. */
  constructor(keys: readonly Buffer[]) {
    this.#keys = new Map(keys.map((key) => [keyId(key), key]));
    this.#current = keyId(keys[0]!);
  }

  seal(text: string, place: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv("aes-256-gcm", this.#keys.get(this.#current)!, iv);
    cipher.setAAD(Buffer.from(`${VERSION} ${place}`));
    const data = Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return [VERSION, this.#current, iv.toString("base64url"), data.toString("base64url")].join(":");
  }

  /** @throws {UnreadableSecretError} */
  open(sealed: string, place: string): string {
    const [version, id = "", iv = "", data = ""] = sealed.split(":");
    const key = this.#keys.get(id);
    if (version !== VERSION || !key) throw new UnreadableSecretError(`The key ${id} is not here`);
    const bytes = Buffer.from(data, "base64url");
    try {
      const decipher = createDecipheriv("aes-256-gcm", key, Buffer.from(iv, "base64url"), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(`${VERSION} ${place}`));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
    } catch {
      throw new UnreadableSecretError(`The secret at ${place} was altered`);
    }
  }

  /** Encrypts it again with the current key. What no key here can decrypt is left as it is. */
  renew(sealed: string, place: string): string {
    if (this.isCurrent(sealed)) return sealed;
    try {
      return this.seal(this.open(sealed, place), place);
    } catch {
      return sealed;
    }
  }

  /** Whether it is encrypted with the current key. */
  isCurrent(sealed: string): boolean {
    return sealed.startsWith(`${VERSION}:${this.#current}:`);
  }
}

/** Which key opens it. */
export const keyIdOf = (sealed: string) => sealed.split(":")[1] ?? "";

/** Names a key without revealing anything about it. */
export function keyId(key: Buffer): string {
  return hash("sha256", Buffer.concat([Buffer.from("porchlight key id "), key]), "hex").slice(0, 8);
}
