import * as z from "zod";
import { line } from "#contract/fields.ts";
import { settingMeaning, transportAdapter } from "../adapter.ts";
import { awsSettings, regional, topicArn } from "../aws/settings.ts";
import { fromNumber } from "../sms/sender-settings.ts";
import { smsTransport } from "../sms/sms-transport.ts";
import { amazonSmsApi, POOL } from "./provider.ts";
import { amazonSmsWebhook } from "./webhook.ts";

export const amazonSmsSettings = z.object({
  ...awsSettings,
  fromNumber: fromNumber({ hint: "A number, a sender ID, or the ID of a pool (pool-…).", also: POOL }),
  configurationSet: line("Configuration set", 256)
    .regex(/^[\w:/-]*$/, "This is not the name of a configuration set")
    .default("")
    .register(settingMeaning, {
      label: "Configuration set",
      hint: "For receipts. Its events go to the topic.",
    }),
  topicArn: topicArn("For receipts and replies. Its ARN."),
});

export type AmazonSmsSettings = z.output<typeof amazonSmsSettings>;

export const amazonSms = transportAdapter({
  kind: "amazon-sms",
  label: "Amazon End User Messaging",
  what: "One bill if you already use AWS",
  cost: "Per text",
  site: "https://console.aws.amazon.com/sns",
  channels: ["sms"],
  recovery: "blind",
  settings: amazonSmsSettings,
  api: { url: "https://sms-voice.{region}.amazonaws.com", variable: "AWS_SMS_API_URL" },
  webhook: amazonSmsWebhook(),
  open: (settings, context) =>
    smsTransport(amazonSmsApi(settings, regional(context.apiUrl, settings.region)), context),
});
