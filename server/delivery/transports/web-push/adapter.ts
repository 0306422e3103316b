import * as z from "zod";
import { settingMeaning, transportAdapter } from "../adapter.ts";
import { HttpTransport } from "../http/transport.ts";
import { webPushProvider } from "./provider.ts";
import { isPushEndpoint, pushServices } from "./push-services.ts";
import { makeKeys } from "./vapid.ts";

const ANYWHERE = "https://fcm.googleapis.com";
const ownOf = (apiUrl: string) => (apiUrl === ANYWHERE ? null : apiUrl);

export const webPush = transportAdapter({
  kind: "web-push",
  label: "Web Push",
  about:
    "No account needed. People turn it on in their profile, once in each browser, and messages go straight to " +
    "those browsers.",
  channels: ["push"],
  simulated: false,
  // There is no key, but what comes twice replaces itself.
  recovery: "keyed",
  browserKey: ({ publicKey }) => publicKey,
  isBrowserEndpoint: (endpoint, apiUrl) => isPushEndpoint(endpoint, ownOf(apiUrl)),
  settings: z.object({
    publicKey: z
      .string({ error: "Public key is required" })
      .register(settingMeaning, { label: "Public key", generated: true }),
    privateKey: z
      .string({ error: "Private key is required" })
      .register(settingMeaning, { label: "Private key", secret: true, generated: true }),
  }),
  generate: makeKeys,
  api: { url: ANYWHERE, variable: "WEB_PUSH_API_URL" },
  open: (keys, { apiUrl, recipients }) =>
    new HttpTransport(webPushProvider(keys, pushServices(ownOf(apiUrl)), recipients)),
});
