import * as z from "zod";
import { endpoint } from "#contract/endpoint.ts";
import { instant } from "#contract/fields.ts";

export const templateTypes = ["Email", "SMS", "Push"] as const;

/** A reusable message. `slug` is the name that the written calls use ("rent-reminder"). */
const template = z.object({
  id: z.number(),
  slug: z.string().nullable(),
  name: z.string(),
  type: z.enum(templateTypes),
  subject: z.string(),
  content: z.string(),
  /** Every {{field}} of subject and content, in order of first use. */
  dynamicFields: z.array(z.string()),
  /** Those that no person fills: the sender is asked for them. */
  askedFields: z.array(z.string()),
  lastUsed: instant.nullable(),
  createdBy: z.string(),
});
export type Template = z.output<typeof template>;

export const templates = {
  list: endpoint({
    method: "GET",
    path: "/api/templates",
    access: "staff",
    summary: "Every template",
    answer: "list",
    reply: z.array(template),
  }),
};
