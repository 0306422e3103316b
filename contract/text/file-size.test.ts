import { expect, test } from "vitest";
import { readableSize } from "#contract/text/file-size.ts";

test.each([
  [0, "1 KB"],
  [592, "1 KB"],
  [1_258_291, "1.3 MB"],
])("%s bytes read %s", (bytes, words) => expect(readableSize(bytes)).toBe(words));
