import { expect, test } from "vitest";
import { settingTable } from "#contract/calls/settings.ts";
import { prefixOf, proposedAnswers, settingsOf } from "#web/features/settings/first-run/answers.ts";

const fresh = {
  siteName: settingTable.siteName.default,
  companyLogo: "",
  country: "",
  timezone: settingTable.timezone.default,
  siteEmail: "",
  defaultSmsPrefix: "",
  defaultEmailSubject: settingTable.defaultEmailSubject.default,
};
const ada = { firstName: "Ada", lastName: "Owner", email: "ada@example.com" };
const browser = { zone: "America/Los_Angeles", language: "en-US" };

test("the questions are answered from the account and the browser", () => {
  expect(proposedAnswers(fresh, ada, browser)).toEqual({
    siteName: "Ada Owner",
    companyLogo: "",
    timezone: "America/Los_Angeles",
    country: "US",
    siteEmail: "ada@example.com",
  });
  // Many browsers elsewhere are set to American English.
  expect(proposedAnswers(fresh, ada, { zone: "Europe/Zurich", language: "en-US" }).country).toBe("CH");
  expect(proposedAnswers(fresh, ada, { zone: "Etc/UTC", language: "de-AT" }).country).toBe("AT");
  expect(proposedAnswers(fresh, ada, { zone: "Etc/UTC", language: "de" }).country).toBe("");
  expect(proposedAnswers(fresh, ada, { zone: "+05:00", language: "en" }).timezone).toBe("America/New_York");
});

test("what is set already is proposed instead", () => {
  const stored = {
    ...fresh,
    siteName: "Oak Court",
    country: "CA",
    timezone: "America/Toronto",
    siteEmail: "o@x.ca",
  };
  expect(proposedAnswers(stored, ada, browser)).toEqual({
    siteName: "Oak Court",
    companyLogo: "",
    timezone: "America/Toronto",
    country: "CA",
    siteEmail: "o@x.ca",
  });
});

test("the name begins every text and stands in for Porchlight in subjects, unless someone has set those", () => {
  const answers = { ...proposedAnswers(fresh, ada, browser), siteName: "Maple & Harbor" };
  expect(settingsOf(answers, fresh)).toEqual({
    siteName: "Maple & Harbor",
    country: "US",
    timezone: "America/Los_Angeles",
    siteEmail: "ada@example.com",
    defaultSmsPrefix: "Maple & Harbor:",
    defaultEmailSubject: "Notification from Maple & Harbor",
  });
  const set = { ...fresh, ...answers, defaultSmsPrefix: "M&H:", defaultEmailSubject: "News" };
  expect(settingsOf(answers, set)).toEqual({ siteName: "Maple & Harbor" });
  expect(prefixOf(" ")).toBe("");
  expect(prefixOf("The Maple and Harbor Property Management Co")).toBe("");
});
