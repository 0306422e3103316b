import * as fc from "fast-check";
import { expect, test, vi } from "vitest";
import { splitPropertyUnit } from "#contract/text/property-unit.ts";

test.each<[text: string, property: string | null, unit: string | null]>([
  ["Maple Court 4B", "Maple Court", "4B"],
  ["Maple Court / 4B", "Maple Court", "4B"],
  ["Maple Court/4B", "Maple Court", "4B"],
  ["Maple Court, Unit 4B", "Maple Court", "4B"],
  ["Maple Court - 4B", "Maple Court", "4B"],
  ["Maple Court – Apt. 4B", "Maple Court", "4B"],
  ["Maple Court Apt 4B", "Maple Court", "4B"],
  ["Maple Court #4B", "Maple Court", "4B"],
  ["Maple Court Unit #12", "Maple Court", "12"],
  ["Maple Court, Suite 300", "Maple Court", "300"],
  ["Maple Court No. 7", "Maple Court", "7"],
  ["  Maple   Court\t4B ", "Maple Court", "4B"],
  ["Maple Court A-101", "Maple Court", "A-101"],
  ["Maple Court PH2", "Maple Court", "PH2"],
  ["Maple Court, B", "Maple Court", "B"],
  ["Maple Court Unit B", "Maple Court", "B"],
  ["Maple Court, Unit 4 Rear", "Maple Court", "4 Rear"],
  ["Harbor House, garage", "Harbor House", "garage"],
  ["Harbor House, Penthouse 2", "Harbor House", "Penthouse 2"],
  ["4B, Maple Court", "Maple Court", "4B"],
  ["Unit 4B, Maple Court", "Maple Court", "4B"],
  ["Apt 4B Maple Court", "Maple Court", "4B"],
  ["12 Elm Street 4B", "12 Elm Street", "4B"],
  ["12 Elm Street Apt 4B", "12 Elm Street", "4B"],
  ["12 Elm Street, Springfield, Apt 4B", "12 Elm Street, Springfield", "4B"],
  ["Maple Court / Building 2 / 4B", "Maple Court / Building 2", "4B"],
  ["Building 4 12", "Building 4", "12"],
  ["Résidence Évora 12", "Résidence Évora", "12"],
  ["Stratford-upon-Avon 3", "Stratford-upon-Avon", "3"],
])("%s is property and unit", (text, property, unit) => {
  expect(splitPropertyUnit(text)).toEqual({ property, unit });
});

test.each([
  "Maple Court",
  "Building C",
  "Building 4",
  "Route 66",
  "12 Elm Street",
  "12 Elm Street, Springfield",
  "12 Elm Street, Springfield 62704",
])("%s is all property", (text) => {
  expect(splitPropertyUnit(text)).toEqual({ property: text, unit: null });
});

test.each([
  ["4B", "4B"],
  ["Unit 4B", "4B"],
  ["#12", "12"],
  ["101", "101"],
])("%s is a unit without a property", (text, unit) => {
  expect(splitPropertyUnit(text)).toEqual({ property: null, unit });
});

test("empty text has neither property nor unit", () => {
  expect(splitPropertyUnit("  ")).toEqual({ property: null, unit: null });
  expect(splitPropertyUnit(",")).toEqual({ property: null, unit: null });
});

test("never invents text and never returns a blank, for any input", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const written = text.normalize("NFC").replaceAll(/\s+/gu, " ");
      for (const part of Object.values(splitPropertyUnit(text))) {
        if (part === null) continue;
        expect(part.trim()).not.toBe("");
        expect(written).toContain(part);
      }
    }),
  );
});

/** The number of characters that regular expressions read during `work`, which does not depend on the machine. */
function charactersRead(work: () => void): number {
  // Called with the expression as `this`.
  // oxlint-disable-next-line typescript/unbound-method
  const { exec } = RegExp.prototype;
  let read = 0;
  const counting = vi.spyOn(RegExp.prototype, "exec").mockImplementation(function (this: RegExp, text) {
    const from = this.lastIndex;
    const found = exec.call(this, text);
    read += 1 + (this.global && found ? this.lastIndex : text.length) - from;
    return found;
  });
  try {
    work();
  } finally {
    counting.mockRestore();
  }
  return read;
}

test("takes linear time for any text", () => {
  const piece = fc.constantFrom(",", " ", "-", " - ", "/", "#", "4B", "Apt", "Maple", "é");
  fc.assert(
    fc.property(
      fc.oneof(
        fc.tuple(piece, fc.nat(1000)).map(([text, times]) => text.repeat(times)),
        fc.array(piece, { maxLength: 1000 }).map((pieces) => pieces.join("")),
      ),
      (text) => {
        expect(charactersRead(() => splitPropertyUnit(text))).toBeLessThan(30 * (text.length + 10));
      },
    ),
  );
});

// The count above does not include what an expression reads twice.
test("reads a long text without backtracking", () => {
  for (const piece of ["Maple - ", "#", "-", " a", "Apt ", ", "]) {
    const text = `x${piece.repeat(20_000)}!`;
    expect(Object.values(splitPropertyUnit(text))).not.toEqual([null, null]);
  }
});
