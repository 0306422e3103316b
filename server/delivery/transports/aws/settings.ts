import * as z from "zod";
import { line, requiredLine } from "#contract/fields.ts";
import { settingMeaning } from "../adapter.ts";

/** The settings of every AWS account. */
export const awsSettings = {
  accessKeyId: requiredLine("Access key ID", 128, "Access key ID is required").register(settingMeaning, {
    label: "Access key ID",
  }),
  secretAccessKey: requiredLine("Secret access key", 200, "Secret access key is required").register(
    settingMeaning,
    { label: "Secret access key", secret: true },
  ),
  // It becomes part of a host name, so it is validated strictly.
  region: z
    .string({ error: "Region is required" })
    .trim()
    .toLowerCase()
    .min(1, "Region is required")
    .regex(/^[a-z]{2,3}(?:-[a-z]{2,12}){1,2}-\d{1,2}$/, "This is not a region like eu-central-1")
    .register(settingMeaning, { label: "Region", hint: "Like eu-central-1" }),
};

/** The SNS topic that reports what happens to messages. */
export const topicArn = (hint: string) =>
  line("SNS topic", 400)
    .regex(
      /^(?:arn:aws[\w-]*:sns:[a-z0-9-]+:\d{12}:[\w.-]+)?$/,
      "Enter its ARN, like arn:aws:sns:us-east-1:123456789012:porchlight",
    )
    .default("")
    .register(settingMeaning, { label: "SNS topic", hint });

/** The API's URL for a region. */
export const regional = (apiUrl: string, region: string) => apiUrl.replace("{region}", region);
