import { transportAdapter } from "../adapter.ts";
import { senderOf } from "../email/sender-settings.ts";
import { smtpSettings } from "./settings.ts";
import { SmtpTransport } from "./transport.ts";

export const smtp = transportAdapter({
  kind: "smtp",
  label: "SMTP",
  what: "The mailbox or mail server you already have",
  cost: "No extra cost",
  channels: ["email"],
  // SMTP has no idempotency key and no lookup. Every attempt has the same Message-ID, so mail clients can spot a copy.
  recovery: "blind",
  settings: smtpSettings,
  sender: senderOf,
  open: (settings, { guard, tracker, hostName }) => new SmtpTransport(settings, { guard, tracker, hostName }),
});
