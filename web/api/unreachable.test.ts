import { describe, expect, test } from "vitest";
import { ApiError, OfflineError } from "#web/api/call-errors.ts";
import { isUnreachable } from "#web/api/unreachable.ts";

describe("isUnreachable", () => {
  test.each([
    ["no network", new OfflineError()],
    ["a time-out", new DOMException("signal timed out", "TimeoutError")],
    ["a gateway without its server", new ApiError(502, "Bad Gateway")],
    ["a server that is starting or stopping", new ApiError(503, "Not ready")],
    ["a gateway that waited in vain", new ApiError(504, "Gateway Timeout")],
    ["a proxy that wants a password", new ApiError(401, "Authorization Required")],
    ["a proxy that blocks the call", new ApiError(403, "Forbidden")],
    ["a gateway without a route", new ApiError(404, "default backend")],
    ["a proxy that limits requests", new ApiError(429, "Too Many Requests")],
    ["a gateway's own fault", new ApiError(500, "Internal Server Error")],
    ["a network that wants people to sign in", new ApiError(511, "Network Authentication Required")],
    ["a server without its database", new ApiError(503, "The database is not answering.", "unavailable")],
  ])("%s leaves it open whether the call arrived", (_, error) => {
    expect(isUnreachable(error)).toBe(true);
  });

  test.each([
    ["a refusal", new ApiError(422, "Recipients are required", "invalid-input")],
    ["an ended session", new ApiError(401, "Sign in", "signed-out")],
    ["something that isn't there", new ApiError(404, "No such group", "not-found")],
    ["a fault of the server", new ApiError(500, "Something went wrong", "internal")],
    ["a proxy to which it is too large", new ApiError(413, "Payload Too Large")],
    ["a caller who gave up", new DOMException("aborted", "AbortError")],
    ["anything else", new TypeError("x is undefined")],
    ["no error at all", undefined],
  ])("%s is an answer", (_, error) => {
    expect(isUnreachable(error)).toBe(false);
  });
});
