import * as z from "zod";
import { channels } from "#contract/delivery.ts";
import { endpoint } from "#contract/endpoint.ts";
import { idParams, instant, line, requiredLine } from "#contract/fields.ts";

const states = ["Connected", "Not connected", "Sandbox", "Error"] as const;

/** The state of a channel's accounts. `reason` is a sentence, in the provider's words if it gave one. */
export const providerState = z.object({
  /** The account that a check is about: of several, one that is paused. */
  id: z.number(),
  channel: z.enum(channels),
  kind: z.string(),
  name: z.string(),
  state: z.enum(states),
  reason: z.string(),
  /** Messages that wait for the channel. */
  waiting: z.number(),
  /** The accounts among them that are paused. Others may still be sending. */
  paused: z.array(z.object({ id: z.number(), name: z.string(), reason: z.string() })),
});
export type ProviderState = z.output<typeof providerState>;

const settingValue = z.union([z.string(), z.number(), z.boolean()]);
export type SettingValue = z.output<typeof settingValue>;

/** One setting of a provider, as a form asks for it. */
const providerField = z.object({
  name: z.string(),
  label: z.string(),
  hint: z.string(),
  /** An example, shown while the field is empty. */
  placeholder: z.string(),
  /** `secret`: written and never read. */
  input: z.enum(["text", "email", "number", "secret", "choice"]),
  choices: z.array(z.object({ value: z.string(), label: z.string() })),
  default: settingValue.nullable(),
  /** The error if it is empty; null: it may be empty. */
  requiredError: z.string().nullable(),
  /** Few people ever touch it. */
  advanced: z.boolean(),
  /** The heading of the collapsed section that it is in; "" if it is always shown. */
  section: z.string(),
});
export type ProviderField = z.output<typeof providerField>;

const provider = z.object({
  kind: z.string(),
  label: z.string(),
  /** What to know before it is set up; may be empty. */
  about: z.string(),
  /** What tells it from the channel's others, in a line. */
  what: z.string(),
  /** How it charges, without figures. */
  cost: z.string(),
  /** Where people sign in to it; null if there is no such place. */
  site: z.string().nullable(),
  /** How many steps setting it up takes; 0: nothing has to be entered. */
  steps: z.number(),
  channels: z.array(z.enum(channels)),
  fields: z.array(providerField),
});
export type Provider = z.output<typeof provider>;

const account = z.object({
  id: z.number(),
  channel: z.enum(channels),
  kind: z.string(),
  /** The provider's name. */
  provider: z.string(),
  name: z.string(),
  /** Only the console's can be changed here. */
  source: z.enum(["built-in", "environment", "console"]),
  enabled: z.boolean(),
  /** It takes new messages of its channel: the Sandbox only while no other account does. */
  serving: z.boolean(),
  weight: z.number(),
  ratePerSecond: z.number().nullable(),
  state: z.enum(states),
  reason: z.string(),
  /** When `state` last changed. */
  stateAt: instant,
  settings: z.record(z.string(), settingValue),
  /** The last four characters of each saved secret; "" if it is short and for staff, null if it can't be read. */
  secrets: z.record(z.string(), z.string().nullable()),
  /** Where its provider reports deliveries, bounces and replies; null if it reports nothing. */
  webhook: z
    .object({
      /** Null for staff, and until the password was entered lately: anyone who has it can report for the account. */
      url: z.string().nullable(),
      /** What to do with it at the provider. */
      setUp: z.string(),
      /** Only this computer reaches it. */
      localOnly: z.boolean(),
      /** In the last 30 days. */
      lastEventAt: instant.nullable(),
      /** There has been one, however long ago. */
      reported: z.boolean(),
      /** Each message names the address, so that it only has to be pasted for replies. */
      automatic: z.boolean(),
      /** The setting without which no report is accepted, if it is still empty. */
      missing: z.string().nullable(),
    })
    .nullable(),
  /** The mailbox that its bounces are read from; null if there is none, or if it hasn't been read yet. */
  bounceMailbox: z
    .object({
      /** Why it could not be read the last time. */
      problem: z.string().nullable(),
      readAt: instant.nullable(),
    })
    .nullable(),
  updatedAt: instant,
  updatedBy: z.string().nullable(),
});
export type Account = z.output<typeof account>;

const shareSentence = "A share must be a whole number from 0 to 100";
const rateSentence = "The limit must be a whole number of messages per second, or empty";

/** The fields of every account, whatever its provider. */
const accountFields = {
  name: line("Name", 100),
  enabled: z.boolean({ error: "Enabled must be true or false" }),
  weight: z.int(shareSentence).min(0, shareSentence).max(100, shareSentence),
  ratePerSecond: z.int(rateSentence).min(1, rateSentence).max(1_000_000, rateSentence).nullable(),
  /** As the provider names them. A secret that is left out or empty is kept; null removes it. */
  settings: z.record(z.string(), settingValue.nullable(), { error: "Settings must be an object" }),
};

const created = {
  channel: z.enum(channels),
  kind: requiredLine("Provider", 40, "Provider is required"),
};

/** The result of testing everything that an account connects to, with the provider's own reason. */
const tested = z.object({ ok: z.boolean(), reason: z.string() });

/** The accounts that messages are sent through. */
export const integrations = {
  list: endpoint({
    method: "GET",
    path: "/api/integrations",
    access: "integrations:read",
    summary: "Every account with its state, and the providers that an account can be set up for",
    reply: z.object({ providers: z.array(provider), accounts: z.array(account) }),
  }),
  webhook: endpoint({
    method: "GET",
    path: "/api/integrations/{id}/webhook",
    access: "integrations:write",
    confirmed: true,
    summary: "The secret address at which an account's provider reports deliveries",
    params: idParams,
    reply: z.object({ url: z.string() }),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/integrations",
    access: "integrations:write",
    confirmed: true,
    summary: "Set up an account. Its secrets are encrypted and never returned",
    body: z.object({
      ...created,
      name: accountFields.name.default(""),
      enabled: accountFields.enabled.default(true),
      weight: accountFields.weight.default(1),
      ratePerSecond: accountFields.ratePerSecond.default(null),
      settings: accountFields.settings,
    }),
    reply: account,
    status: 201,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/integrations/{id}",
    access: "integrations:write",
    summary: "Change an account. What is left out stays as it is",
    params: idParams,
    body: z
      .object({
        ...accountFields,
        /** As the form was filled with. Without it, someone else's change is overwritten unseen. */
        updatedAt: instant,
      })
      .partial(),
    reply: account,
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/integrations/{id}",
    access: "integrations:write",
    confirmed: true,
    summary: "Remove an account and its secrets. Messages it sent stay on record",
    params: idParams,
    reply: z.object({ id: z.number() }),
  }),
  check: endpoint({
    method: "POST",
    path: "/api/integrations/{id}/check",
    access: "integrations:read",
    confirmed: true,
    summary: "Check whether an account's provider accepts messages. If it does, a paused account resumes",
    params: idParams,
    reply: tested,
  }),
  tryOut: endpoint({
    method: "POST",
    path: "/api/integrations/check",
    access: "integrations:write",
    confirmed: true,
    summary: "Check settings without saving them. With an id, what is left out is that account's",
    body: z.object({ ...created, id: z.int().min(1).optional(), settings: accountFields.settings }),
    reply: tested,
  }),
  sendTest: endpoint({
    method: "POST",
    path: "/api/integrations/{id}/send-test",
    access: "integrations:write",
    summary: "Send one real message through an account to yourself",
    params: idParams,
    reply: z.object({ sent: z.boolean(), message: z.string() }),
  }),
};
