import { createHash, createHmac } from "node:crypto";

/** The credentials and scope of a signature, such as "ses" in "eu-central-1". */
export type AwsIdentity = {
  accessKeyId: string;
  secretAccessKey: string;
  region: string;
  service: string;
};

type AwsRequest = {
  method: string;
  /** The full URL, with its query. */
  url: string;
  /** All of them are signed, so they must be sent unchanged. */
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
};

/**
 * Returns the request's headers with an AWS Signature Version 4 added. The signature is valid for five minutes before and
 * after `at`.
 */
export function awsSigned(request: AwsRequest, identity: AwsIdentity, at: Date): Record<string, string> {
  const { accessKeyId, secretAccessKey, region, service } = identity;
  const time = at.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const { host, pathname, searchParams } = new URL(request.url);
  const headers = Object.entries({ ...request.headers, host, "x-amz-date": time })
    .map(([name, value]): [string, string] => [name.toLowerCase(), value.trim().replaceAll(/ +/g, " ")])
    .sort(byName);
  const names = headers.map(([name]) => name).join(";");
  const canonical = [
    request.method,
    // Encoded twice, for every service but S3.
    pathname.split("/").map(encoded).join("/"),
    [...searchParams]
      .map(([name, value]): [string, string] => [encoded(name), encoded(value)])
      .sort(byName)
      .map((pair) => pair.join("="))
      .join("&"),
    ...headers.map((header) => header.join(":")),
    "",
    names,
    sha256(request.body ?? ""),
  ].join("\n");
  const scope = [day, region, service, "aws4_request"];
  const key = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${secretAccessKey}`);
  const text = ["AWS4-HMAC-SHA256", time, scope.join("/"), sha256(canonical)].join("\n");
  const signature = hmac(key, text).toString("hex");
  return {
    ...request.headers,
    "x-amz-date": time,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope.join("/")}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

function byName([a, x]: [string, string], [b, y]: [string, string]): number {
  if (a !== b) return a < b ? -1 : 1;
  return x < y ? -1 : Number(x > y);
}

/** Percent-encodes all but the unreserved characters (RFC 3986). */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest();
