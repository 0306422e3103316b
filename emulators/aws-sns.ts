import { generateKeyPairSync, sign } from "node:crypto";
import type { EmulatedAnswer, EmulatedCall, EmulatedRequest } from "./emulator.ts";
import { signedText, type SnsMessage } from "#server/delivery/transports/aws/sns.ts";

/** Emulates the webhook calls of Amazon SNS. */

export const EMULATED_TOPIC = "arn:aws:sns:us-east-1:123456789012:porchlight";
export const EMULATED_CERTIFICATE =
  "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** Encodes one ASN.1 value in DER (X.690): tag, length, content. */
function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const { length } = Buffer.concat(parts);
  const size = length < 128 ? [length] : [0x82, length >> 8, length % 256];
  return Buffer.concat([Buffer.from([tag, ...size]), ...parts]);
}

/** A minimal self-signed certificate (RFC 5280), valid for a century. */
function certificate(): string {
  const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
  const time = (text: string) => der(0x18, Buffer.from(text));
  const sha256WithRsa = sequence(Buffer.from("06092a864886f70d01010b0500", "hex"));
  const tbsCertificate = sequence(
    der(0x02, Buffer.from([1])),
    sha256WithRsa,
    sequence(),
    sequence(time("20000101000000Z"), time("21000101000000Z")),
    sequence(),
    publicKey.export({ format: "der", type: "spki" }),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", tbsCertificate, privateKey));
  const lines = sequence(tbsCertificate, sha256WithRsa, signature).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
}
const CERTIFICATE = certificate();

/** Stands in for fetching from Amazon: only has the certificate. */
export const fetchEmulated = (url: string): Promise<string> =>
  url === EMULATED_CERTIFICATE
    ? Promise.resolve(CERTIFICATE)
    : Promise.reject(new Error(`There is nothing at ${url}`));

/** Serves the certificate from an emulator. */
export function certificateFor({ method, path }: EmulatedRequest): EmulatedAnswer | undefined {
  const asked = method === "GET" && path === new URL(EMULATED_CERTIFICATE).pathname;
  return asked ? { status: 200, text: CERTIFICATE } : undefined;
}

/** A signed call from SNS. `changes` are signed too, unless they include a signature. */
export function snsCall(url: string, changes: Partial<SnsMessage> = {}): EmulatedCall {
  const fields = {
    Type: "Notification",
    MessageId: "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
    TopicArn: EMULATED_TOPIC,
    Message: "Hello",
    Timestamp: new Date().toISOString(),
    SignatureVersion: "2",
    SigningCertURL: EMULATED_CERTIFICATE,
    ...changes,
  } as const;
  const digest = fields.SignatureVersion === "1" ? "sha1" : "sha256";
  const Signature = sign(digest, Buffer.from(signedText(fields)), privateKey).toString("base64");
  return {
    url,
    headers: { "content-type": "text/plain; charset=UTF-8", "x-amz-sns-message-type": fields.Type },
    body: JSON.stringify({ Signature, ...fields }),
  };
}
