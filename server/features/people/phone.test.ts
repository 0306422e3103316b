import * as fc from "fast-check";
import { getExampleNumber } from "libphonenumber-js/max";
import examples from "libphonenumber-js/mobile/examples";
import { expect, test } from "vitest";
import { countries, countryOfZone } from "#contract/text/countries.ts";
import { nationalFormat } from "#contract/text/phone-format.ts";
import { otherContacts, readPhones } from "#server/features/people/contacts.ts";
import { readPhone } from "#server/features/people/phone.ts";
import { phoneFormatOf } from "#server/features/people/phone-format.ts";

const read = (text: string, country = "US") => {
  const reading = readPhone(text, country);
  return "phone" in reading ? reading.phone : reading.reason;
};

test.each([
  "(415) 555-0123",
  "415-555-0123",
  "415.555.0123",
  "415 555 0123",
  "4155550123",
  "4155550123.0",
  "14155550123",
  "1-415-555-0123",
  "+14155550123",
  "+1 (415) 555-0123",
  "tel:+1-415-555-0123",
  "  415 555 0123 ",
  "\u202a+1 (415) 555\u20110123\u202c",
  "４１５－５５５－０１２３",
])("%s is the same number", (text) => {
  expect(read(text)).toBe("+14155550123");
});

/** As people write them at home, and with the digit missing that a spreadsheet takes for a leading zero. */
test.each([
  ["US", "+14155550123", ["(415) 555-0123", "1 415 555 0123", "001 1 415 555 0123".slice(4)]],
  [
    "GB",
    "+447400123456",
    ["07400 123456", "7400 123456", "447400123456", "00447400123456", "+44 (0)7400 123456"],
  ],
  [
    "GB",
    "+442079460018",
    ["020 7946 0018", "(020) 7946 0018", "0044 (0)20 7946 0018", "011 44 20 7946 0018"],
  ],
  ["AU", "+61412345678", ["0412 345 678", "412345678", "0011 61 412 345 678", "+61 0412 345 678"]],
  ["DE", "+4915123456789", ["01512 3456789", "0151/23456789", "0049 1512 3456789"]],
  ["DE", "+4930123456", ["030/123456", "(030) 123456", "+49 (0)30 123456"]],
  ["KE", "+254712123456", ["0712 123456", "712123456", "+0712 123456", "000 254 712 123456"]],
  ["FR", "+33612345678", ["06 12 34 56 78", "06.12.34.56.78", "612345678", "+33 (0)6 12 34 56 78"]],
  ["IT", "+390669812345", ["06 698 12345", "+39 06 698 12345"]],
  ["ES", "+34612345678", ["612 34 56 78", "0034 612 345 678"]],
  ["IN", "+919876543210", ["098765 43210", "98765 43210", "९८७६५ ४३२१०", "+91-98765-43210"]],
  ["JP", "+819012345678", ["090-1234-5678", "０９０－１２３４－５６７８", "010 81 90 1234 5678"]],
  ["BR", "+5511912345678", ["(11) 91234-5678", "011 91234-5678"]],
  ["AE", "+971501234567", ["050 123 4567", "00971 50 123 4567"]],
  ["RU", "+79123456789", ["8 (912) 345-67-89", "912 345-67-89"]],
  ["SG", "+6581234567", ["8123 4567", "+65 8123 4567"]],
])("in %s, %s is read", (country, phone, written) => {
  expect(written.map((text) => read(text, country))).toEqual(written.map(() => phone));
});

test.each([
  [
    "DE",
    "15123456789",
    "This could be +49 1512 3456789 or +1 512 345 6789. Enter it with + and its country code",
  ],
  ["GB", "1 415 555 0134", "If this is +1 415 555 0134, enter it with the +"],
  ["US", "44 20 7946 0018", "If this is +44 20 7946 0018, enter it with the +"],
])("in %s, %s may be someone else's and is asked about", (country, text, reason) => {
  expect(read(text, country)).toBe(reason);
});

test.each([
  ["555-0123", "Phone number is too short. It needs its area code."],
  ["415-555-01234567", "Phone number is too long"],
  ["+999 12345678", "No country has this calling code"],
  ["999-999-9999", "This is not a phone number in the United States. Begin one from another country with +"],
  ["call the office", "This is not a phone number"],
  ["415-555-0123 x5", "Leave out the extension. Text messages can't reach it"],
  ["1.41556E+10", "A spreadsheet shortened this number. Format its column as text and enter it again."],
])("%s is refused: %s", (text, reason) => {
  expect(read(text)).toBe(reason);
});

test("example numbers pass, so that sample data can be exported and imported", () => {
  expect(read("+15551234567", "GB")).toBe("+15551234567");
});

test("in every country, a mobile number is read as it is shown, nationally and internationally", () => {
  const known = countries.flatMap((country) => getExampleNumber(country as "US", examples) ?? []);
  expect(known.length).toBeGreaterThan(230);
  fc.assert(
    fc.property(fc.constantFrom(...known), (number) => {
      const country = number.country ?? "US";
      const shown = nationalFormat(number.number, phoneFormatOf(country));
      const ways = [
        number.number,
        number.formatInternational(),
        number.formatNational(),
        shown ?? number.number,
      ];
      expect(ways.map((text) => [country, text, read(text, country)])).toEqual(
        ways.map((text) => [country, text, number.number]),
      );
    }),
    { numRuns: 500 },
  );
});

test.each([
  ["America/New_York", "US"],
  ["Europe/London", "GB"],
  ["Asia/Kolkata", "IN"],
  ["Europe/Kyiv", "UA"],
  ["US/Eastern", "US"],
  ["UTC", undefined],
])("the time zone %s is in %s", (zone, country) => {
  expect(countryOfZone(zone)).toBe(country);
});

const inCell = (text: string, country = "US") => {
  const found = readPhones(text, country);
  return "reason" in found
    ? found.reason
    : [found.phone, ...found.others.map(({ label, text: other }) => (label ? `${label}: ${other}` : other))];
};
const [first, second] = ["+13125550100", "+13125550199"];

test.each([
  ["Mobile: (312) 555-0199", [second]],
  ["C 312-555-0199", [second]],
  ["312.555.0199 (cell)", [second]],
  ["312.555.0199(m)", [second]],
  ["312-555-0199 - Home", [second]],
  ["Home: (312) 555-0100, Mobile: (312) 555-0199", [second, `Home: ${first}`]],
  ["Home (312) 555-0100 Mobile: (312) 555-0199", [second, `Home: ${first}`]],
  ["H:312-555-0100\nC:312-555-0199", [second, `H: ${first}`]],
  ["312-555-0199 or 312-555-0100", [second, first]],
  ["312-555-0199 312-555-0100", [second, first]],
  ["312-555-0199 / 312-555-0199", [second]],
  ["312-555-0100 x5; 312-555-0199", [second, "312-555-0100 x5"]],
  ["Fax: 312-555-0100 | 312-555-0199", [second, `Fax: ${first}`]],
  ["Mother: 312-555-0100", [null, `Mother: ${first}`]],
  ["office@example.com, 312-555-0199", [second, "office@example.com"]],
  ["cell 4155550123 home 4155550199", ["+14155550123", "home: +14155550199"]],
  ["home 4155550123 cell 415 555 0199", ["+14155550199", "home: +14155550123"]],
  ["Do not call 415-555-0123", ["+14155550123"]],
  ["415-555-0123 after work", ["+14155550123"]],
  ["312-555-0199; Apt 12, ask for Sam (415) 555-0123", [second, "ask for Sam: +14155550123"]],
  ["Call Sam at 415-555-0123 ext 5; 312-555-0199", [second, "Call Sam at: 415-555-0123 ext 5"]],
  ["my mother 415-555-0123", [null, "my mother: +14155550123"]],
  ["Mobile: (312) 555-01", "Phone number is too short. It needs its area code."],
  ["Mobile:", "This is not a phone number"],
])("%j is %j", (text, read) => {
  expect(inCell(text)).toEqual(read);
});

test.each([
  ["DE", "Tel.: 030 123456 / Mobil: 0171 2345678", ["+491712345678", "Tel: +4930123456"]],
  ["FR", "Portable : 06 12 34 56 78", ["+33612345678"]],
  ["ES", "móvil 612 345 678; casa 912 345 678", ["+34612345678", "casa: +34912345678"]],
  ["GB", "020 7946 0018, 07400 123456", ["+447400123456", "+442079460018"]],
  ["CN", "手机：13800138000", ["+8613800138000"]],
])("in %s, %j is %j", (country, text, read) => {
  expect(inCell(text, country)).toEqual(read);
});

test("a list of other contacts that is read again is the same, in any country", () => {
  const list = otherContacts(
    ["Home: (312) 555-0100, bob@example.com; (312) 555-0100 x5, bob@example.com"],
    "US",
    [second],
  );
  expect(list).toBe("Home: +13125550100, bob@example.com, (312) 555-0100 x5");
  for (const country of ["US", "GB", "DE"]) expect(otherContacts([list], country, [])).toBe(list);
});
