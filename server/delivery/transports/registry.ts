import type { TransportAdapter } from "./adapter.ts";
import { amazonSms } from "./amazon-sms/adapter.ts";
import type { TransportEnvironment } from "./environment.ts";
import { mailgun } from "./mailgun/adapter.ts";
import { onesignal } from "./onesignal/adapter.ts";
import { plivo } from "./plivo/adapter.ts";
import { postmark } from "./postmark/adapter.ts";
import { resend } from "./resend/adapter.ts";
import { sandbox } from "./sandbox/adapter.ts";
import { sendgrid } from "./sendgrid/adapter.ts";
import { ses } from "./ses/adapter.ts";
import { smtp } from "./smtp/adapter.ts";
import { webPush } from "./web-push/adapter.ts";
import { smtpEnvironment } from "./smtp/environment.ts";
import { telnyx } from "./telnyx/adapter.ts";
import { twilio } from "./twilio/adapter.ts";
import { vonage } from "./vonage/adapter.ts";

/** Every transport. To add one, add a folder and a line here. */
export const adapters: readonly TransportAdapter[] = [
  sandbox,
  smtp,
  sendgrid,
  postmark,
  mailgun,
  resend,
  ses,
  twilio,
  vonage,
  telnyx,
  plivo,
  amazonSms,
  onesignal,
  webPush,
];

/** Accounts set up by environment variables instead of the console. */
export const transportEnvironments: readonly TransportEnvironment[] = [smtpEnvironment];
