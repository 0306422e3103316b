import type { EnvironmentAccount } from "#server/delivery/accounts/accounts.ts";
import { EMULATED_APP, EMULATED_KEY as ONESIGNAL_KEY } from "#emulators/onesignal.ts";
import { onesignal } from "#server/delivery/transports/onesignal/adapter.ts";
import { postmark } from "#server/delivery/transports/postmark/adapter.ts";
import { EMULATED_TOKEN, EMULATED_WEBHOOK_PASSWORD } from "#emulators/postmark.ts";
import { sendgrid } from "#server/delivery/transports/sendgrid/adapter.ts";
import { EMULATED_KEY as SENDGRID_KEY } from "#emulators/sendgrid.ts";
import { smtpAccount } from "#server/delivery/transports/smtp/environment.ts";
import { smtpSettings } from "#server/delivery/transports/smtp/settings.ts";
import { SmtpTransport } from "#server/delivery/transports/smtp/transport.ts";

/** SMTP and SendGrid are blind, Postmark can be asked, OneSignal knows our keys. */
export type ProviderKind = "smtp" | "sendgrid" | "postmark" | "onesignal";

/** How many messages a process that dies at an SMTP server leaves in doubt at most. */
export const SMTP_CONNECTIONS = 8;

const timeouts = { connect: 2000, greeting: 2000, message: 1000, idle: 10_000 };
const sender = { fromEmail: "office@maple.example", fromName: "Maple" };

const webApis = {
  postmark: {
    adapter: postmark,
    settings: { apiKey: EMULATED_TOKEN, webhookPassword: EMULATED_WEBHOOK_PASSWORD, ...sender },
  },
  sendgrid: { adapter: sendgrid, settings: { apiKey: SENDGRID_KEY, ...sender } },
  onesignal: { adapter: onesignal, settings: { appId: EMULATED_APP, apiKey: ONESIGNAL_KEY } },
};

/** The account of a provider that is emulated there. `apiUrls`: where its adapter finds it. */
export function emulatedAccount(
  kind: ProviderKind,
  { host = "127.0.0.1", port }: { host?: string; port: number },
): { account: EnvironmentAccount; apiUrls: Record<string, string> } {
  if (kind === "smtp") {
    const server = {
      host,
      name: "Mail server",
      port,
      tls: "off",
      user: "",
      password: "",
      weight: 1,
    } as const;
    const account = smtpAccount(server, { from: sender.fromEmail, connections: SMTP_CONNECTIONS });
    const open = (settings: unknown) => new SmtpTransport(smtpSettings.parse(settings), { timeouts });
    return { account: { ...account, key: kind, adapter: { ...account.adapter, open } }, apiUrls: {} };
  }
  const { adapter, settings } = webApis[kind];
  const channel = kind === "onesignal" ? "push" : "email";
  return {
    account: { key: kind, adapter, channel, name: adapter.label, weight: 1, settings },
    apiUrls: { [String(adapter.api?.variable)]: `http://${host}:${port}` },
  };
}
