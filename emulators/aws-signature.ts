import type { EmulatedRequest } from "./emulator.ts";
import { awsSigned, type AwsIdentity } from "#server/delivery/transports/aws/signature.ts";

export const EMULATED_IDENTITY = {
  accessKeyId: "AKIAEMULATED01234567",
  secretAccessKey: "emulated+secret/0123456789abcdefghijklmn",
  region: "us-east-1",
};

const MAX_SKEW_MS = 5 * 60_000;

/** Verifies a request's signature. Returns Amazon's error, or undefined if the signature is valid. */
export function signatureProblem(
  { method, path, query, headers, body }: EmulatedRequest,
  service: AwsIdentity["service"],
): { type: string; message: string } | undefined {
  const authorization = headers.authorization ?? "";
  const names = /SignedHeaders=([\w;-]+)/.exec(authorization)?.[1]?.split(";") ?? [];
  const key = /Credential=([^/]+)\//.exec(authorization)?.[1];
  if (key !== EMULATED_IDENTITY.accessKeyId) {
    return {
      type: "UnrecognizedClientException",
      message: "The security token included in the request is invalid.",
    };
  }
  const time = String(headers["x-amz-date"]);
  const at = new Date(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(Date.now() - at.getTime()) < MAX_SKEW_MS)) {
    return { type: "InvalidSignatureException", message: `Signature expired: ${time}` };
  }
  const search = query.size > 0 ? `?${query.toString()}` : "";
  const signed = names.filter((name) => name !== "host" && name !== "x-amz-date");
  const expected = awsSigned(
    {
      method,
      url: `http://${headers.host}${path}${search}`,
      headers: Object.fromEntries(signed.map((name) => [name, String(headers[name])])),
      body,
    },
    { ...EMULATED_IDENTITY, service },
    at,
  );
  const must = headers["content-type"] === undefined ? ["host"] : ["host", "content-type"];
  if (must.every((name) => names.includes(name)) && expected["authorization"] === authorization)
    return undefined;
  return {
    type: "SignatureDoesNotMatch",
    message:
      "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access " +
      "Key and signing method.",
  };
}
