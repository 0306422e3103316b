import { generateKeyPairSync, sign } from "node:crypto";
import type { EmulatedCall } from "../http/emulator.ts";
import { signedText } from "./sns.ts";
import type { SnsMessage } from "./sns.ts";

/** Amazon SNS as far as it calls webhooks. */

export const EMULATED_TOPIC = "arn:aws:sns:us-east-1:123456789012:porchlight";
export const EMULATED_CERTIFICATE =
  "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-0123456789.pem";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });

/** What stands at Amazon's addresses: the key of its certificate. */
export const emulatedOpen = (url: string): Promise<string> =>
  url === EMULATED_CERTIFICATE
    ? Promise.resolve(publicKey.export({ format: "pem", type: "spki" }))
    : Promise.reject(new Error(`There is nothing at ${url}`));

/** A call as SNS makes it; `changes` are signed too, unless they bring a signature. */
export function snsCall(url: string, changes: Partial<SnsMessage> = {}): EmulatedCall {
  const said = {
    Type: "Notification",
    MessageId: "22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324",
    TopicArn: EMULATED_TOPIC,
    Message: "Hello",
    Timestamp: new Date().toISOString(),
    SignatureVersion: "2",
    SigningCertURL: EMULATED_CERTIFICATE,
    ...changes,
  } as const;
  const digest = said.SignatureVersion === "1" ? "sha1" : "sha256";
  const Signature = sign(digest, Buffer.from(signedText(said)), privateKey).toString("base64");
  return {
    url,
    headers: { "content-type": "text/plain; charset=UTF-8", "x-amz-sns-message-type": said.Type },
    body: JSON.stringify({ Signature, ...said }),
  };
}
