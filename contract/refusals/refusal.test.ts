import { expect, test } from "vitest";
import { areas, refusal } from "#contract/refusals/refusal.ts";

test("no code is in two areas, so none replaces another's words", () => {
  const codes = Object.values(areas).flatMap((area) => Object.keys(area));
  expect(codes.length).toBeGreaterThan(100);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
});

test("a refusal keeps its code and parameters, beside the words of the catalogue", () => {
  expect(refusal("group-name-taken", { name: "Garden" })).toMatchObject({
    code: "conflict",
    message: "A group named “Garden” already exists. Choose another name.",
    fields: { name: "A group named “Garden” already exists. Choose another name." },
    reason: { code: "group-name-taken", params: { name: "Garden" } },
  });
});

test("the one who refuses can name the field, and when to try again", () => {
  expect(refusal("request-not-recorded", {}, { field: "request" }).fields).toEqual({
    request: "Record who asked to turn it on again, how and when",
  });
  expect(refusal("too-many-attempts", { seconds: 61 }, { retryAfter: 61 })).toMatchObject({
    message: "Too many attempts. Try again in 2 minutes.",
    fields: undefined,
    retryAfter: 61,
  });
});
