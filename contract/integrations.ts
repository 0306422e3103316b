import * as z from "zod";
import { channels } from "#contract/delivery.ts";
import { endpoint } from "#contract/endpoint.ts";
import { idParams } from "#contract/fields.ts";

/** How a channel's accounts stand; `reason` is in words, the provider's own where it has said something. */
export const providerState = z.object({
  /** The account that a check is about: of several, one that is paused. */
  id: z.number(),
  channel: z.enum(channels),
  kind: z.string(),
  name: z.string(),
  state: z.enum(["Connected", "Not connected", "Sandbox", "Error"]),
  reason: z.string(),
  /** Messages that wait for the channel. */
  waiting: z.number(),
});
export type ProviderState = z.output<typeof providerState>;

/** The accounts that messages go out by: one row for each provider that is configured. */
export const integrations = {
  check: endpoint({
    method: "POST",
    path: "/api/integrations/{id}/check",
    access: "staff",
    summary: "Check whether an account's provider accepts messages. If it does, a paused account resumes",
    params: idParams,
    reply: providerState,
  }),
};
