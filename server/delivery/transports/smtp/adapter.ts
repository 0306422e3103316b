import { transportAdapter } from "../adapter.ts";
import { smtpSettings } from "./settings.ts";
import { SmtpTransport } from "./transport.ts";

export const smtp = transportAdapter({
  kind: "smtp",
  label: "SMTP",
  channels: ["email"],
  simulated: false,
  // SMTP has no idempotency key and no way to ask. Every attempt carries the same Message-ID, by which a mail reader
  // recognizes a copy.
  recovery: "blind",
  settings: smtpSettings,
  sender: ({ fromName, fromEmail }) => ({ name: fromName, address: fromEmail }),
  open: (settings, { guard, tracker }) => new SmtpTransport(settings, { guard, tracker }),
});
