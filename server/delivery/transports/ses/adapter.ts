import * as z from "zod";
import { line } from "#contract/fields.ts";
import { settingMeaning, transportAdapter } from "../adapter.ts";
import { awsSettings, regional } from "../aws/settings.ts";
import { senderSettings } from "../email/sender-settings.ts";
import { HttpTransport } from "../http/transport.ts";
import { sesProvider } from "./provider.ts";

export const sesSettings = z.object({
  ...awsSettings,
  ...senderSettings,
  configurationSet: line("Configuration set", 64).default("").register(settingMeaning, {
    label: "Configuration set",
    hint: "Its name in Amazon SES, if mail goes through one.",
    advanced: true,
  }),
});

export type SesSettings = z.output<typeof sesSettings>;

export const ses = transportAdapter({
  kind: "ses",
  label: "Amazon SES",
  channels: ["email"],
  simulated: false,
  // There is no key that would tell a second try from a second message, and no one to ask.
  recovery: "blind",
  settings: sesSettings,
  api: { url: "https://email.{region}.amazonaws.com", variable: "SES_API_URL" },
  sender: ({ fromName, fromEmail }) => ({ name: fromName, address: fromEmail }),
  open: (settings, { apiUrl }) => new HttpTransport(sesProvider(settings, regional(apiUrl, settings.region))),
});
