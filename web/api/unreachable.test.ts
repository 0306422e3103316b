import { describe, expect, test } from "vitest";
import { ApiError, OfflineError } from "#web/api/client.ts";
import { isUnreachable } from "#web/api/unreachable.ts";

describe("isUnreachable", () => {
  test.each([
    ["no network", new OfflineError()],
    ["a time-out", new DOMException("signal timed out", "TimeoutError")],
    ["a gateway without its server", new ApiError(502, "Bad Gateway")],
    ["a server that is starting or stopping", new ApiError(503, "Not ready")],
    ["a gateway that waited in vain", new ApiError(504, "Gateway Timeout")],
  ])("%s leaves it open whether the call arrived", (_, error) => {
    expect(isUnreachable(error)).toBe(true);
  });

  test.each([
    ["a refusal", new ApiError(422, "Recipients are required")],
    ["an ended session", new ApiError(401, "Sign in")],
    ["a fault of the server", new ApiError(500, "Something went wrong")],
    ["a caller who gave up", new DOMException("aborted", "AbortError")],
    ["anything else", new TypeError("x is undefined")],
    ["no error at all", undefined],
  ])("%s is an answer", (_, error) => {
    expect(isUnreachable(error)).toBe(false);
  });
});
