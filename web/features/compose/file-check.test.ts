import { describe, expect, test } from "vitest";
import { ATTACHMENT_MAX, MEGABYTE } from "#contract/attachments.ts";
import { contentTrouble, sizeTrouble } from "#web/features/compose/file-check.ts";

const file = (size: number) => ({ size });

describe("sizeTrouble", () => {
  test("exactly 10 MB fits, one byte more does not", () => {
    expect(sizeTrouble(file(ATTACHMENT_MAX), [])).toBeUndefined();
    expect(sizeTrouble(file(ATTACHMENT_MAX + 1), [])).toBe("This file is larger than 10 MB.");
  });

  test("all together have their limit, too", () => {
    const two = [file(8 * MEGABYTE), file(8 * MEGABYTE)];
    expect(sizeTrouble(file(4 * MEGABYTE), two)).toBeUndefined();
    expect(sizeTrouble(file(4 * MEGABYTE + 1), two)).toMatch(/together would be larger than 20 MB/);
  });

  test("the eleventh file and an empty one are refused", () => {
    expect(
      sizeTrouble(
        file(1),
        Array.from({ length: 10 }, () => file(1)),
      ),
    ).toBe("At most 10 files can be attached.");
    expect(sizeTrouble(file(0), [])).toBe("This file is empty.");
  });
});

describe("contentTrouble", () => {
  test.each([
    ["PNG", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]],
    ["JPG", [0xff, 0xd8, 0xff, 0xe0]],
    ["PDF", [0x25, 0x50, 0x44, 0x46, 0x2d, 0x31]],
  ])("a %s is known by its first bytes", async (_, bytes) => {
    expect(await contentTrouble(new Blob([new Uint8Array(bytes)]))).toBeUndefined();
  });

  test.each([
    ["a program", [0x4d, 0x5a, 0x90]],
    ["a GIF, which only the edit dialog takes", [0x47, 0x49, 0x46, 0x38]],
    ["the beginning of a PNG", [0x89, 0x50]],
  ])("%s is refused, whatever its name says", async (_, bytes) => {
    expect(await contentTrouble(new Blob([new Uint8Array(bytes)]))).toMatch(/not a PNG, JPG or PDF/);
  });
});
