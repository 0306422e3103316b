import {
  getExampleNumber,
  isSupportedCountry,
  Metadata,
  parsePhoneNumberFromString,
} from "libphonenumber-js/max";
import examples from "libphonenumber-js/mobile/examples";
import type { PhoneFormat } from "#contract/text/phone-format.ts";

/** What libphonenumber-js knows about a country's formats; not in its types. */
type Format = {
  pattern: () => string;
  format: () => string;
  leadingDigitsPatterns: () => string[];
  nationalPrefixFormattingRule: () => string | undefined;
};
type Plan = { selectNumberingPlan: (country: string) => void; numberingPlan: { formats: () => Format[] } };

/** How a country writes its own numbers, for the browser, which has no table of all of them. */
export function phoneFormatOf(country: string): PhoneFormat {
  const home = isSupportedCountry(country) ? country : "US";
  const metadata = new Metadata() as unknown as Plan;
  metadata.selectNumberingPlan(home);
  // The 555 numbers of North America are invented, others aren't.
  const example =
    parsePhoneNumberFromString("+14155550123", "US")?.country === home
      ? parsePhoneNumberFromString("+14155550123", "US")
      : getExampleNumber(home, examples);
  return {
    country: home,
    callingCode: example?.countryCallingCode ?? "1",
    formats: metadata.numberingPlan.formats().map((one) => ({
      pattern: one.pattern(),
      leading: one.leadingDigitsPatterns().at(-1) ?? "",
      // "0$1" puts the digit that is dialed first before the first group.
      format: one.format().replace(/\$1/, one.nationalPrefixFormattingRule() || "$1"),
    })),
    example: example?.formatNational() ?? "",
    international: example?.format("E.164") ?? "",
  };
}
