import {
  type NumberFormat,
  parsePhoneNumberFromString,
  validatePhoneNumberLength,
} from "libphonenumber-js/max";

type PhoneReading = { phone: string } | { reason: string };

// The country assumed for a number without a country code.
const HOME = { defaultCountry: "US", extract: false } as const;
const E164: NumberFormat = "E.164";

// 555 is the area code of examples and of sample data. No real number is mistyped into it.
const EXAMPLE_NUMBER = /^\+1555\d{7}$/;
const SHORTENED_BY_SPREADSHEET = /^\d[.,]?\d*e\+?\d+$/i;

/**
 * Reads a phone number in any format used in the United States or internationally: "(415) 555-0123", "415.555.0123",
 * "+44 20 7946 0018", "011 44 …", "00 44 …". Returns E.164 or the reason why not.
 */
export function readPhone(text: string): PhoneReading {
  const written = text.trim().replace(/^tel:\s*/i, "");
  if (SHORTENED_BY_SPREADSHEET.test(written)) {
    return {
      reason: "A spreadsheet shortened this number. Format its column as text and enter it again.",
    };
  }
  const international = written.replace(/^00(?=[1-9\s])/, "+");
  const number = parsePhoneNumberFromString(international, HOME);
  if (!number) return { reason: lengthReason(international) };
  if (number.ext) return { reason: "Leave out the extension. Text messages can't reach it" };
  const phone = number.format(E164);
  if (number.isValid() || EXAMPLE_NUMBER.test(phone)) return { phone };
  return { reason: lengthReason(international) };
}

function lengthReason(text: string): string {
  switch (validatePhoneNumberLength(text, HOME)) {
    case "TOO_SHORT":
      return "Phone number is too short. It needs its area code.";
    case "TOO_LONG":
      return "Phone number is too long";
    case "INVALID_COUNTRY":
      return "No country has this calling code";
    default:
      return "This is not a phone number";
  }
}
