import { expect, test } from "vitest";
import { megabytes } from "#web/ui/browser/file-size.ts";

test.each([
  [1_258_291, "1.20 MB"],
  [0, "0.00 MB"],
  [undefined, "Unknown size"],
  [Number.NaN, "Unknown size"],
])("%s bytes read %s", (bytes, words) => expect(megabytes(bytes)).toBe(words));
