import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

type Options = { challenge: string };
/** What a device or a page can get wrong. */
type Flaws = { origin?: string; rpId?: string; userVerified?: boolean; counter?: number };

const sha256 = (data: Buffer | string) => createHash("sha256").update(data).digest();
const base64url = (data: Buffer) => data.toString("base64url");

/** A device with one passkey, together with the browser it is used in (WebAuthn level 3, ES256, no attestation). */
export class PasskeyDevice {
  readonly #id = randomBytes(32);
  readonly #keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  readonly #origin: string;
  #counter = 0;

  constructor(origin = "http://localhost:3000") {
    this.#origin = origin;
  }

  /** Makes the passkey. */
  create({ challenge }: Options, flaws: Flaws = {}) {
    const { x = "", y = "" } = this.#keys.publicKey.export({ format: "jwk" });
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    // A COSE key in CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y}.
    const key = Buffer.concat([
      Buffer.from("a5010203262001215820", "hex"),
      Buffer.from(x, "base64url"),
      Buffer.from("225820", "hex"),
      Buffer.from(y, "base64url"),
    ]);
    const data = Buffer.concat([this.#data(0x40, flaws), Buffer.alloc(16), length, this.#id, key]);
    // {fmt: "none", attStmt: {}, authData: data}
    const attestation = Buffer.concat([
      Buffer.from("a363666d74646e6f6e656761747453746d74a068617574684461746158", "hex"),
      Buffer.from([data.length]),
      data,
    ]);
    return this.#answer({
      clientDataJSON: base64url(this.#client("webauthn.create", challenge, flaws)),
      attestationObject: base64url(attestation),
      transports: ["internal"],
    });
  }

  /** Signs a challenge with it. */
  get({ challenge }: Options, flaws: Flaws = {}) {
    this.#counter += 1;
    const client = this.#client("webauthn.get", challenge, flaws);
    const data = this.#data(0, flaws);
    const signature = sign("sha256", Buffer.concat([data, sha256(client)]), this.#keys.privateKey);
    return this.#answer({
      clientDataJSON: base64url(client),
      authenticatorData: base64url(data),
      signature: base64url(signature),
    });
  }

  #client(type: string, challenge: string, { origin = this.#origin }: Flaws): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }

  #data(more: number, { rpId = "localhost", userVerified = true, counter = this.#counter }: Flaws): Buffer {
    const flags = Buffer.alloc(5);
    // The person is there, and has shown that it is them.
    flags.writeUInt8(0x01 | (userVerified ? 0x04 : 0) | more);
    flags.writeUInt32BE(counter, 1);
    return Buffer.concat([sha256(rpId), flags]);
  }

  #answer(response: object) {
    const id = base64url(this.#id);
    return { id, rawId: id, type: "public-key", clientExtensionResults: {}, response };
  }
}
