import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import { numberFormOf } from "#contract/text/currencies.ts";
import { setHomeNumbers } from "#contract/text/home-numbers.ts";
import { readNumber, writtenAmount } from "#contract/text/number-text.ts";
import { detailField, storedDetail } from "#contract/text/person-details.ts";

afterEach(() => setHomeNumbers());

test.each([
  ["US", "-1234567.50", "-$1,234,567.50"],
  ["US", "0.05", "$0.05"],
  ["DE", "1234.56", "1.234,56 €"],
  ["GB", "999.00", "£999.00"],
  ["IN", "12345678.90", "₹1,23,45,678.90"],
  ["JP", "1234567", "￥1,234,567"],
  ["CH", "1234567.5", "CHF 1'234'567.50"],
  ["SE", "1234567.5", "1 234 567,50 kr"],
])("in %s, %s is written %s", (country, value, text) => {
  setHomeNumbers(numberFormOf(country));
  expect(writtenAmount(value)).toBe(text);
});

test.each([
  ["US", "$1,234.56", "1234.56"],
  ["US", "1234.5", "1234.5"],
  ["US", "(12.50)", "-12.50"],
  ["US", "−12.50", "-12.50"],
  ["US", "-$12.50", "-12.50"],
  ["US", "$(12.50)", "-12.50"],
  ["US", "12.50-", "-12.50"],
  ["US", "(12.50", null],
  ["US", "12.50)", null],
  ["US", "--5", null],
  ["US", "(-5)", null],
  ["US", "$$5", null],
  ["US", "-", null],
  ["DE", "-5 €", "-5"],
  ["DE", "0.125", null],
  ["US", "1.234,56", null],
  ["US", "1,23", null],
  ["US", "12,345,67", null],
  ["US", "twelve", null],
  ["US", "=1+1", null],
  ["US", "1e9", null],
  ["DE", "1.234,56", "1234.56"],
  ["DE", "1.234,56 €", "1234.56"],
  ["DE", "1.234", "1234"],
  ["DE", "12.50", "12.50"],
  ["DE", "1,234.56", null],
  ["IN", "₹1,23,456.70", "123456.70"],
  ["FR", "1 234,50 €", "1234.50"],
])("someone in %s types %s", (country, typed, number) => {
  setHomeNumbers(numberFormOf(country));
  expect(readNumber(typed)).toBe(number);
});

test("every country's own way of writing an amount is read back", () => {
  for (const country of ["US", "DE", "FR", "IN", "CH", "SE", "BR", "ZA", "AE", "KW", "PL", "CL", "KR"]) {
    const form = numberFormOf(country);
    setHomeNumbers(form);
    fc.assert(
      fc.property(fc.bigInt({ min: -999_999_999_999n, max: 999_999_999_999n }), (units) => {
        const digits = `${units < 0n ? -units : units}`.padStart(form.digits + 1, "0");
        const cut = digits.length - form.digits;
        const value = storedDetail(
          "amount",
          `${units < 0n ? "-" : ""}${digits.slice(0, cut)}${form.digits ? `.${digits.slice(cut)}` : ""}`,
        )!;
        expect(storedDetail("amount", readNumber(writtenAmount(value)) ?? "")).toBe(value);
      }),
      { numRuns: 50 },
    );
  }
});

test.each([
  ["amount", "12.5", "12.50"],
  ["amount", "007", "7.00"],
  ["amount", "-0.00", "0.00"],
  ["amount", "12.505", null],
  ["amount", "1,000", null],
  ["amount", "1234567890123", null],
  ["number", "1.500", "1.5"],
  ["number", "-0", "0"],
  ["date", "2026-02-29", null],
  ["date", "2028-02-29", "2028-02-29"],
  ["date", "11/25/2026", null],
] as const)("a detail of kind %s: %s", (kind, text, stored) => {
  expect(storedDetail(kind, text)).toBe(stored);
});

test.each([
  ["Balance due (€)", "balance_due"],
  ["Müll-Gebühr", "mull_gebuhr"],
  ["Meter #2", "meter_2"],
  ["__proto__", "proto"],
  ["constructor", "constructor_name"],
  ["Баланс", null],
  ["2nd phone", null],
])("a detail called %s is %s in messages", (label, field) => {
  expect(detailField(label)).toBe(field);
});
