import * as fc from "fast-check";
import { SegmentedMessage } from "sms-segments-calculator";
import { describe, expect, test } from "vitest";
import { plainSms } from "#contract/text/plain-sms.ts";
import { smsParts } from "./sms.ts";

describe("smsParts", () => {
  test.each([
    ["", 0, "GSM-7", 0, 160],
    ["a".repeat(160), 1, "GSM-7", 160, 0],
    ["a".repeat(161), 2, "GSM-7", 161, 145],
    ["a".repeat(307), 3, "GSM-7", 307, 152],
    ["€".repeat(81), 2, "GSM-7", 162, 143],
    ["ж".repeat(70), 1, "UCS-2", 70, 0],
    ["ж".repeat(71), 2, "UCS-2", 71, 63],
    ["🏠".repeat(36), 2, "UCS-2", 72, 61],
  ] as const)("%#: %s", (text, parts, encoding, length, left) => {
    expect(smsParts(text)).toMatchObject({ parts, encoding, length, left });
  });

  test("a character of two septets is not torn between two parts", () => {
    expect(smsParts(`${"a".repeat(152)}€${"a".repeat(152)}`)).toMatchObject({ parts: 3, length: 306 });
  });

  test("names the character that costs the most", () => {
    expect(smsParts("Rent’s due").costlyCharacter).toBe("’");
    expect(smsParts("Bye 👨‍👩‍👧‍👦 “x”").costlyCharacter).toBe("👨‍👩‍👧‍👦");
    expect(smsParts("Rent's due, 5 €").costlyCharacter).toBeUndefined();
  });

  test("counts as the published calculator does", () => {
    const character = fc.constantFrom(...Array.from("aZ 5@£€[|~^{ÆΩ\né’“–ж字🏠שcafe\u0301"));
    fc.assert(
      fc.property(fc.string({ unit: character, minLength: 1, maxLength: 500 }), (text) => {
        const published = new SegmentedMessage(text);
        expect(smsParts(text)).toMatchObject({
          parts: published.segmentsCount,
          encoding: published.encodingName,
        });
      }),
    );
  });

  test("ends for a letter with more marks than a part holds", () => {
    expect(smsParts(`a${"\u0301".repeat(200)}`).parts).toBe(3);
  });
});

describe("plainSms", () => {
  test("makes typographic marks plain and leaves letters and emoji", () => {
    expect(plainSms("“Rent’s due” – 5\u00a0€… • Zoë 🏠\u200b")).toBe(`"Rent's due" - 5 €... * Zoë 🏠`);
    expect(smsParts(plainSms("“Rent’s due” – today…")).encoding).toBe("GSM-7");
  });
});
