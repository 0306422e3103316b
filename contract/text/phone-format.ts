import * as z from "zod";

/** How the organization's country writes its own numbers. */
export const phoneFormat = z.object({
  /** ISO code. */
  country: z.string(),
  callingCode: z.string(),
  /** The first whose `leading` (regular expression) the digits after the calling code begin with applies. */
  formats: z.array(z.object({ pattern: z.string(), leading: z.string(), format: z.string() })),
  /** A number as it is written there: "07400 123456". */
  example: z.string(),
  /** The same in E.164. */
  international: z.string(),
});
export type PhoneFormat = z.output<typeof phoneFormat>;

/** An E.164 number of that country as it is written there; undefined for any other. */
export function nationalFormat(e164: string, { callingCode, formats }: PhoneFormat): string | undefined {
  if (!e164.startsWith(`+${callingCode}`)) return undefined;
  const digits = e164.slice(callingCode.length + 1);
  const found = formats.find(
    ({ pattern, leading }) =>
      new RegExp(`^(?:${leading})`).test(digits) && new RegExp(`^(?:${pattern})$`).test(digits),
  );
  return found && digits.replace(new RegExp(`^(?:${found.pattern})$`), found.format);
}
