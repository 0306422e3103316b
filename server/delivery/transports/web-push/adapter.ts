import * as z from "zod";
import { settingMeaning, transportAdapter } from "../adapter.ts";
import { HttpTransport } from "../http/transport.ts";
import { webPushProvider } from "./provider.ts";
import { isPushEndpoint, pushServices } from "./push-services.ts";
import { makeKeys } from "./vapid.ts";

const DEFAULT_URL = "https://fcm.googleapis.com";
const customUrl = (apiUrl: string) => (apiUrl === DEFAULT_URL ? null : apiUrl);

export const webPush = transportAdapter({
  kind: "web-push",
  label: "Web Push",
  what: "Browsers only, without another service",
  cost: "Free",
  about:
    "No account needed. People turn it on in their profile, once in each browser, and messages go straight to " +
    "those browsers.",
  channels: ["push"],
  // No idempotency key, but a duplicate replaces the first message.
  recovery: "keyed",
  browserKey: ({ publicKey }) => publicKey,
  isBrowserEndpoint: (endpoint, apiUrl) => isPushEndpoint(endpoint, customUrl(apiUrl)),
  settings: z.object({
    publicKey: z
      .string({ error: "Public key is required" })
      .register(settingMeaning, { label: "Public key", generated: true }),
    privateKey: z
      .string({ error: "Private key is required" })
      .register(settingMeaning, { label: "Private key", secret: true, generated: true }),
  }),
  generate: makeKeys,
  api: {
    url: DEFAULT_URL,
    variable: "WEB_PUSH_API_URL",
    meaning: "Address of one more push service to trust besides the browsers' own, such as an emulator",
  },
  open: (keys, { apiUrl, recipients }) =>
    new HttpTransport(webPushProvider(keys, pushServices(customUrl(apiUrl)), recipients)),
});
