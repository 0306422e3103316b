import { describe, expect, test } from "vitest";
import { ATTACHMENT_MAX, MEGABYTE } from "#contract/calls/attachments.ts";
import { fileLimits } from "#web/api/file-limits.ts";

const { sizeTrouble, contentTrouble } = fileLimits(["PNG", "JPG", "PDF"], ATTACHMENT_MAX);

const file = (size: number) => ({ size });

describe("sizeTrouble", () => {
  test("exactly 10 MB fits, one byte more does not", () => {
    expect(sizeTrouble(file(ATTACHMENT_MAX), [])).toBeUndefined();
    expect(sizeTrouble(file(ATTACHMENT_MAX + 1), [])).toBe("This file is larger than 10 MB.");
  });

  test("all together have their limit, too", () => {
    const two = [file(8 * MEGABYTE), file(8 * MEGABYTE)];
    expect(sizeTrouble(file(4 * MEGABYTE), two)).toBeUndefined();
    expect(sizeTrouble(file(4 * MEGABYTE + 1), two)).toMatch(
      /Together, the files would be larger than 20 MB/,
    );
  });

  test("the eleventh file and an empty one are refused", () => {
    expect(
      sizeTrouble(
        file(1),
        Array.from({ length: 10 }, () => file(1)),
      ),
    ).toBe("You can attach up to 10 files.");
    expect(sizeTrouble(file(0), [])).toBe("This file is empty.");
  });
});

describe("contentTrouble", () => {
  test.each([
    ["PNG", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]],
    ["JPG", [0xff, 0xd8, 0xff, 0xe0]],
    ["PDF", [0x25, 0x50, 0x44, 0x46, 0x2d, 0x31]],
    ["PDF after a byte order mark", [0xef, 0xbb, 0xbf, 0x25, 0x50, 0x44, 0x46, 0x2d, 0x31]],
  ])("a %s is known by its first bytes", async (_, bytes) => {
    expect(await contentTrouble(new Blob([new Uint8Array(bytes)]))).toBeUndefined();
  });

  test.each([
    ["a program", [0x4d, 0x5a, 0x90]],
    ["a GIF, which these limits do not name", [0x47, 0x49, 0x46, 0x38]],
    ["the beginning of a PNG", [0x89, 0x50]],
  ])("%s is refused, whatever its name says", async (_, bytes) => {
    expect(await contentTrouble(new Blob([new Uint8Array(bytes)]))).toMatch(
      /isn't actually a PNG, JPG or PDF/,
    );
  });
});

test("what is taken, and what is said of the rest, follows the formats and the size", async () => {
  const limits = fileLimits(["PDF", "GIF"], 5 * MEGABYTE);
  expect(limits.accept).toEqual({ "application/pdf": [".pdf"], "image/gif": [".gif"] });
  const said = (name: string, reason: "type" | "size") => limits.rejection({ name }, reason);
  expect(said("a.exe", "type")).toBe("This is not a PDF or GIF file.");
  expect(said("a.pdf", "size")).toBe("This file is larger than 5 MB.");
  expect(said("IMG_1.HEIC", "type")).toMatch(/^This is a HEIC photo, .* Export it as JPG/);
  expect(await limits.contentTrouble(new Blob(["GIF89a"]))).toBeUndefined();
  expect(limits.sizeTrouble({ size: 5 * MEGABYTE + 1 }, [])).toBe(said("a.gif", "size"));
});
