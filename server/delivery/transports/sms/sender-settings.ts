import { requiredLine } from "#contract/fields.ts";
import { settingMeaning } from "../adapter.ts";

export const E164 = /^\+[1-9]\d{6,14}$/;
export const SHORT_CODE = /^\d{3,8}$/;
/** An alphanumeric sender ID (GSM 03.40): up to eleven letters, digits and spaces. Not supported in the US and Canada. */
const NAME = /^(?=.*[a-z])[a-z0-9 ]{1,11}$/i;

/** A number without the plus, as some providers write it. */
export const digits = (number: string) => number.replace(/^\+/, "");

/** The sender of text messages. `also`: what else a provider accepts, such as the id of a number pool. */
export function fromNumber({ hint, also }: { hint: string; also?: RegExp }) {
  return requiredLine("From number", 80, "From number is required")
    .overwrite((typed) => (/^\+[\d\s().-]+$/.test(typed) ? `+${typed.replaceAll(/\D/g, "")}` : typed))
    .refine(
      (from) => [E164, SHORT_CODE, NAME, ...(also ? [also] : [])].some((form) => form.test(from)),
      "Enter the number with + and its country code, like +14155550100",
    )
    .register(settingMeaning, { label: "From number", placeholder: "+15551234567", hint });
}
