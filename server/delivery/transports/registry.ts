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

/** Every way to send that this build knows. To add one, add a folder and a line here. */
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

/** What sets up accounts without the console: each kind's environment variables, if it has any. */
export const transportEnvironments: readonly TransportEnvironment[] = [smtpEnvironment];
