import type * as z from "zod";
import type { CurrentUser } from "#contract/calls/auth.ts";
import { settingFields, settingTable, type Settings } from "#contract/calls/settings.ts";
import { countries, countryOfZone } from "#contract/text/countries.ts";
import { requiredLine } from "#contract/fields.ts";
import { fullName } from "#contract/text/full-name.ts";

export const answerSchema = settingFields
  .pick({
    companyLogo: true,
    country: true,
    timezone: true,
    siteEmail: true,
  })
  .extend({ siteName: requiredLine("Name", 100, "Name is required") });
export type Answers = z.output<typeof answerSchema>;

type Stored = Answers & Pick<Settings, "defaultSmsPrefix" | "defaultEmailSubject">;
type Browser = { zone: string; language: string };

const changed = (stored: Stored, key: keyof Stored) => stored[key] !== settingTable[key].default;

/** What the questions are answered with until someone types: what is stored already, the person, and the browser. */
export function proposedAnswers(
  stored: Stored,
  person: Pick<CurrentUser, "firstName" | "lastName" | "email">,
  { zone, language }: Browser,
): Answers {
  const known = answerSchema.shape.timezone.safeParse(zone);
  const timezone = changed(stored, "timezone") || !known.success ? stored.timezone : known.data;
  return {
    siteName: changed(stored, "siteName") ? stored.siteName : fullName(person),
    companyLogo: stored.companyLogo,
    timezone,
    country: stored.country || countryOfZone(timezone) || regionOf(language),
    siteEmail: stored.siteEmail || (person.email ?? ""),
  };
}

function regionOf(language: string): Answers["country"] {
  const { region = "" } = new Intl.Locale(language);
  return countries.includes(region) ? region : "";
}

/** What begins every text message: the name, if it fits there. */
export function prefixOf(siteName: string): string {
  if (siteName.trim() === "") return "";
  const prefix = settingFields.shape.defaultSmsPrefix.safeParse(`${siteName}:`);
  return prefix.success ? prefix.data : "";
}

/** The settings that the answers change. What someone has set already stays, but for what they answered. */
export function settingsOf(answers: Answers, stored: Stored): Partial<Settings> {
  const subject = settingFields.shape.defaultEmailSubject.safeParse(`Notification from ${answers.siteName}`);
  const all: Partial<Settings> = {
    ...answers,
    ...(!changed(stored, "defaultSmsPrefix") && { defaultSmsPrefix: prefixOf(answers.siteName) }),
    ...(!changed(stored, "defaultEmailSubject") && subject.success && { defaultEmailSubject: subject.data }),
  };
  // The name is sent even if it stays "Porchlight": someone has said so now.
  return Object.fromEntries(
    Object.entries(all).filter(([key, value]) => key === "siteName" || value !== stored[key as keyof Stored]),
  );
}
