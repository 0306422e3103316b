import * as z from "zod";
import { MEGABYTE } from "#contract/attachments.ts";
import { endpoint } from "#contract/endpoint.ts";
import { email, requiredLine } from "#contract/fields.ts";

export const LOGO_MAX = 2 * MEGABYTE;

const timeZone = requiredLine("Timezone", 64, "Timezone is required").refine((zone) => {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: zone }).format() !== "";
  } catch {
    return false;
  }
}, "This is not a time zone. One looks like America/New_York");

// Base64 is a third longer than the bytes it carries.
const logo = z
  .string({ error: "Please upload a JPG or PNG image." })
  .max(Math.ceil((LOGO_MAX * 4) / 3) + 64, "Please upload an image smaller than 2MB.")
  .regex(/^$|^data:image\/(png|jpeg);base64,[A-Za-z0-9+/]+=*$/, "Please upload a JPG or PNG image.");

/**
 * Every setting: what it accepts, its default, who may read it. Values are stored as text;
 * `number` and `boolean` say how they are read.
 */
export const settingTable = {
  companyLogo: { schema: logo, default: "", read: "signed-in", dataType: "base64" },
  siteName: {
    schema: requiredLine("Site name", 100, "Site name is required"),
    default: "Porchlight",
    read: "signed-in",
    dataType: "string",
  },
  siteEmail: {
    schema: z.literal("").or(email("Invalid email address")),
    default: "",
    read: "staff",
    dataType: "string",
  },
  timezone: { schema: timeZone, default: "America/New_York", read: "signed-in", dataType: "string" },
  registration: {
    schema: z.enum(["closed", "open"]),
    default: "closed",
    read: "staff",
    dataType: "string",
  },
  passwordMinLength: {
    schema: z
      .string()
      .regex(/^\d{1,3}$/, "Minimum password length must be at least 8 characters")
      .refine(
        (n) => Number(n) >= 8 && Number(n) <= 128,
        "Minimum password length must be at least 8 characters",
      ),
    default: "8",
    read: "staff",
    dataType: "number",
  },
  requireSpecialChars: {
    schema: z.enum(["true", "false"]),
    default: "true",
    read: "staff",
    dataType: "boolean",
  },
  /** Minutes without a request after which a session ends. */
  sessionTimeout: {
    schema: z
      .string()
      .regex(/^\d{1,6}$/, "Session timeout must be at least 5 minutes")
      .refine((n) => Number(n) >= 5, "Session timeout must be at least 5 minutes"),
    default: "30",
    read: "staff",
    dataType: "number",
  },
} as const satisfies Record<
  string,
  { schema: z.ZodType<string>; default: string; read: "signed-in" | "staff"; dataType: string }
>;

export type SettingKey = keyof typeof settingTable;
export const settingKeys = Object.keys(settingTable) as [SettingKey, ...SettingKey[]];

export const settings = {
  value: endpoint({
    method: "GET",
    path: "/api/settings/value/{key}",
    access: "signed-in",
    summary: "One setting",
    params: z.object({ key: z.enum(settingKeys, { error: "There is no such setting" }) }),
    reply: z.object({ key: z.enum(settingKeys), value: z.string() }),
  }),
  save: endpoint({
    method: "POST",
    path: "/api/settings",
    access: "admin",
    summary: "Store one setting",
    body: z.object({
      key: z.enum(settingKeys, { error: "There is no such setting" }),
      value: z.string({ error: "A value is text" }),
      dataType: z.string().optional(),
    }),
    bodyLimit: 3 * MEGABYTE,
    reply: z.object({ key: z.enum(settingKeys), value: z.string() }),
  }),
};
