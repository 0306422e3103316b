import { expect, test } from "vitest";
import { awsSigned } from "./signature.ts";

/** Amazon's own test suite for Signature Version 4 (aws-sig-v4-test-suite). */

const identity = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  region: "us-east-1",
  service: "service",
};
const at = new Date("2015-08-30T12:36:00Z");
const host = "https://example.amazonaws.com";
const form = { "content-type": "application/x-www-form-urlencoded" };

test.each([
  ["get-vanilla", "GET", "/", {}, "", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"],
  ["post-vanilla", "POST", "/", {}, "", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"],
  [
    "get-vanilla-query-order-key-case",
    "GET",
    "/?Param2=value2&Param1=value1",
    {},
    "",
    "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500",
  ],
  [
    "post-x-www-form-urlencoded",
    "POST",
    "/",
    form,
    "Param1=value1",
    "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a",
  ],
])("%s", (_, method, path, headers, body, signature) => {
  const signed = awsSigned({ method, url: host + path, headers, body }, identity, at);
  expect(signed["x-amz-date"]).toBe("20150830T123600Z");
  const names = ["content-type", "host", "x-amz-date"].filter(
    (name) => name in { ...headers, ...signed, host },
  );
  expect(signed.authorization).toBe(
    "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, " +
      `SignedHeaders=${names.join(";")}, Signature=${signature}`,
  );
});
