import {
  type CountryCode,
  isSupportedCountry,
  type NumberFormat,
  parsePhoneNumberFromString,
  type PhoneNumber,
  validatePhoneNumberLength,
} from "libphonenumber-js/max";
import { countryName } from "#contract/text/countries.ts";
import { visibleKey } from "#contract/text/visible-text.ts";

/** `mobile`: by its number alone, which not every country's tells. */
export type PhoneReading = { phone: string; mobile: boolean } | { reason: string; ext?: true };

const E164: NumberFormat = "E.164";

// 555 is the area code of examples and of sample data. No real number is mistyped into it.
const EXAMPLE_NUMBER = /^\+1555\d{7}$/;
const SHORTENED_BY_SPREADSHEET = /^\+?\d[.,]?\d*e\+?\d+$/i;
const SCHEME = /^(?:tel|sms|callto|whatsapp):\s*/i;

/** Digits of any script as those of ours, and no unseen marks. */
export function plainDigits(text: string): string {
  const visible = visibleKey(text);
  if (/^[ -~]*$/.test(visible)) return visible;
  return visible.normalize("NFKC").replaceAll(/\p{Nd}/gu, (digit) => {
    const point = digit.codePointAt(0) ?? 0;
    // The ten digits of a script begin at a code that ends in 0 or 6.
    const zero = /^\p{Nd}$/u.test(String.fromCodePoint(point & ~15)) ? point & ~15 : (point & ~15) + 6;
    return point < 128 ? digit : String(point - zero);
  });
}

/**
 * Reads a phone number as people in `country` write it, or in any international way: "(415) 555-0123",
 * "+44 20 7946 0018", "+44 (0)20 …", "011 44 …", "00 44 …". Returns E.164 or the reason why not. What may be someone else's number
 * is refused with the numbers that it may be.
 */
export function readPhone(text: string, country: string): PhoneReading {
  // ".0" is left by a spreadsheet that took the number for a quantity.
  const written = plainDigits(text)
    .replace(SCHEME, "")
    .replace(/^(\+?\d{7,15})\.0$/, "$1");
  if (SHORTENED_BY_SPREADSHEET.test(written)) {
    return {
      reason: "A spreadsheet shortened this number. Format its column as text and enter it again.",
    };
  }
  // No calling code begins with 0.
  const typed = written.replace(/^\++(?=\s*\(?0)/, "");
  const home = isSupportedCountry(country) ? country : "US";
  if (typed.startsWith("+")) return settled(parse(typed, home), typed, home);
  const national = parse(typed, home);
  const isNational = national !== undefined && isUsable(national);
  // Written as people there write it, or with their 0 in front: no one means another country.
  const isSure =
    isNational && (/^\s*0/.test(typed) || digitsOf(national.formatNational()) === digitsOf(typed));
  if (isSure) return accepted(national);
  const abroad = typed.startsWith("00") ? parse(typed.replace(/^00/, "+"), home) : parse(`+${typed}`, home);
  if (isNational) {
    const other = abroad && abroad.isValid() && abroad.number !== national.number;
    return other && !national.ext ? ambiguous([national, abroad]) : accepted(national);
  }
  if (typed.startsWith("00")) return settled(abroad, typed, home);
  const american = /^\s*011/.test(typed) ? parse(typed.replace(/^\s*011/, "+"), home) : undefined;
  if (american?.isValid()) return settled(american, typed, home);
  if (abroad?.isValid() && !abroad.ext) return ambiguous([abroad]);
  return settled(national, typed, home);
}

const digitsOf = (text: string) => text.replaceAll(/\D/g, "");

const parse = (text: string, defaultCountry: CountryCode): PhoneNumber | undefined =>
  parsePhoneNumberFromString(text, { defaultCountry, extract: false });

const isUsable = (number: PhoneNumber) => number.isValid() || EXAMPLE_NUMBER.test(number.format(E164));

function settled(number: PhoneNumber | undefined, typed: string, home: CountryCode): PhoneReading {
  return number && (number.ext || isUsable(number)) ? accepted(number) : { reason: refusal(typed, home) };
}

/** A number that exists. */
function accepted(number: PhoneNumber): PhoneReading {
  if (number.ext) {
    return { reason: "Leave out the extension. Text messages can't reach it", ext: true };
  }
  return {
    phone: number.format(E164),
    // Asked only where someone has several.
    get mobile() {
      return number.getType() === "MOBILE";
    },
  };
}

/** Numbers that the digits may be. */
function ambiguous(numbers: readonly PhoneNumber[]): PhoneReading {
  const choices = numbers.map((number) => number.formatInternational());
  return {
    reason:
      choices.length === 1
        ? `If this is ${choices[0]}, enter it with the +`
        : `This could be ${choices.join(" or ")}. Enter it with + and its country code`,
  };
}

function refusal(text: string, home: CountryCode): string {
  switch (validatePhoneNumberLength(text, home)) {
    case "TOO_SHORT":
      return "Phone number is too short. It needs its area code.";
    case "TOO_LONG":
      return "Phone number is too long";
    case "INVALID_COUNTRY":
      return "No country has this calling code";
    case "INVALID_LENGTH":
    case undefined:
      return text.startsWith("+")
        ? "This is not a phone number"
        : `This is not a phone number in ${countryName(home)}. Begin one from another country with +`;
    default:
      return "This is not a phone number";
  }
}
