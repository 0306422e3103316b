import { expect, test } from "vitest";
import { acceptAttribute, sortFiles } from "#web/ui/chosen-files.ts";

const accept = { "image/png": [".png"], "application/pdf": [".pdf"] };
const file = (name: string, type: string, size = 10) => new File([new Uint8Array(size)], name, { type });
const names = (files: { name: string }[]) => files.map((one) => one.name);

test("a file counts by its type or by its ending, in any case", () => {
  const files = [file("a.png", "image/png"), file("SCAN.PDF", ""), file("photo", "image/png")];
  expect(names(sortFiles(files, { accept, maxSize: 100, multiple: true }).taken)).toEqual([
    "a.png",
    "SCAN.PDF",
    "photo",
  ]);
});

test("the wrong type and the wrong size are told apart, and the good files stay", () => {
  const files = [
    file("a.exe", "application/x-msdownload"),
    file("b.png", "image/png", 101),
    file("c.png", "image/png", 100),
  ];
  const { taken, rejected } = sortFiles(files, { accept, maxSize: 100, multiple: true });
  expect(names(taken)).toEqual(["c.png"]);
  expect(rejected.map(({ file: { name }, reason }) => [name, reason])).toEqual([
    ["a.exe", "type"],
    ["b.png", "size"],
  ]);
});

test("where one file is wanted the first one counts", () => {
  const files = [file("a.png", "image/png"), file("b.png", "image/png")];
  expect(names(sortFiles(files, { accept, maxSize: 100 }).taken)).toEqual(["a.png"]);
});

test("the chooser is told types and endings", () => {
  expect(acceptAttribute(accept)).toBe("image/png,.png,application/pdf,.pdf");
});
