import type { RawBuilder } from "kysely";
import * as z from "zod";
import type { Channel } from "#contract/delivery.ts";
import { requiredLine } from "#contract/fields.ts";
import type { AccountSender } from "#server/delivery/accounts/accounts.ts";
import type { Tracker } from "#server/delivery/receipts/tracking-address.ts";
import type { NetworkGuard } from "./network-guard.ts";
import type { PushRecipients } from "./push/recipients.ts";
import type { Recovery, Transport } from "./transport.ts";
import type { Webhook } from "./webhook.ts";

/** How a form presents one setting. Its schema has the choices, the default and the error text. */
type SettingMeaning = {
  label: string;
  hint?: string;
  /** An example, shown while the field is empty. */
  placeholder?: string;
  /** Write-only, and never stored in plain text. */
  secret?: true;
  /** The secrets that are sent to wherever this setting points: changing it requires entering them again. */
  leads?: readonly string[];
  /** The form's error if it is empty, although an account from the environment may leave it out. */
  formRequires?: string;
  /** Labels of choices whose values aren't readable. */
  choices?: Readonly<Record<string, string>>;
  /** Generated when an account is created: no form asks for it, and no call changes it. */
  generated?: true;
  /** Settings that most people never touch. */
  advanced?: true;
  /** The collapsed section of the form that it belongs to. An account works without it. */
  section?: string;
};

/** Every setting of every adapter is registered here. */
export const settingMeaning = z.registry<SettingMeaning>();

export const apiKey = (hint: string, most = 200) =>
  requiredLine("API Key", most, "API Key is required").register(settingMeaning, {
    label: "API Key",
    hint,
    secret: true,
  });

/** What a transport is opened with besides its settings. */
export type OpenContext = {
  channel: Channel;
  /** The base URL of the provider's API, without a trailing slash; "" if the adapter has none. */
  apiUrl: string;
  /** Checks each host that was entered by a person. Null for accounts from the environment, which may use any host. */
  guard: NetworkGuard | null;
  /**
   * This account's webhook URL, for providers that take it with each message. Undefined for a draft, or if the provider
   * can't reach our public URL.
   */
  webhookUrl?: string | undefined;
  /** Our own host name, as mail servers are told it. Undefined if our public URL is a loopback or an IP address. */
  hostName?: string | undefined;
  /** For a transport without tracking of its own. Undefined if our public URL is a loopback address. */
  tracker?: Tracker | undefined;
  /** Lookups of people, for push transports. */
  recipients?: PushRecipients | undefined;
};

/** One way to send: what an account needs, and how to open it. No code outside the registry names a transport. */
export type TransportAdapter = {
  /** The value of `accounts.kind`, such as "smtp". */
  kind: string;
  /** The display name, such as "SMTP". */
  label: string;
  /** An explanation for the form, if name and fields aren't enough. */
  about?: string;
  /** What tells it from the channel's others, in a line. */
  what?: string;
  /** How it charges, without figures, which change. */
  cost?: string;
  /** Where people sign in to it. */
  site?: string;
  channels: readonly Channel[];
  /** Sends nothing for real. Its account serves a channel only while no other account is enabled. */
  simulated?: boolean;
  recovery: Recovery;
  /**
   * For Web Push, which only reaches browsers where people turned notifications on: the public key they subscribed with,
   * from valid settings. It never changes for an account.
   */
  browserKey?: ((settings: Readonly<Record<string, unknown>>) => string) | undefined;
  /** For Web Push: whether to accept this endpoint, which any signed-in user could have made up. */
  isBrowserEndpoint?: (endpoint: string, apiUrl: string) => boolean;
  /**
   * For a simulated transport: a SQL condition for addresses that accept every message immediately. Fan-out writes those
   * deliveries with their outcome; all others are sent normally.
   */
  acceptsAtOnce?: (address: RawBuilder<unknown>) => RawBuilder<unknown>;
  settings: z.ZodObject;
  /** Generates the settings marked `generated`. */
  generate?: () => Record<string, string>;
  /**
   * A provider's web API. Only the environment can change its URL, to a region's or an emulator's. `meaning`: of the
   * variable, for the documentation, if it isn't that.
   */
  api?: { url: string; variable: string; meaning?: string };
  /** The sender that recipients see, from valid settings. Defaults to the site's name. */
  sender?: ((settings: Readonly<Record<string, unknown>>) => AccountSender) | undefined;
  /** For texts: the provider doesn't answer HELP, so we do. */
  leavesHelp?: true;
  /** The provider's webhook. Called with valid settings. */
  webhook?: Webhook<Readonly<Record<string, unknown>>> | undefined;
  /** @throws {z.ZodError} if the settings don't match the schema */
  open(settings: unknown, context: OpenContext): Transport;
};

type Declared<Settings extends z.ZodObject> = Omit<
  TransportAdapter,
  "settings" | "browserKey" | "sender" | "webhook" | "open"
> & {
  settings: Settings;
  browserKey?: (settings: z.output<Settings>) => string;
  sender?: (settings: z.output<Settings>) => AccountSender;
  webhook?: Webhook<z.output<Settings>>;
  open(settings: z.output<Settings>, context: OpenContext): Transport;
};

export function transportAdapter<Settings extends z.ZodObject>(
  declared: Declared<Settings>,
): TransportAdapter {
  const { settings: schema, browserKey, sender, webhook } = declared;
  return {
    ...declared,
    browserKey: browserKey && ((settings) => browserKey(schema.parse(settings))),
    sender: sender && ((settings) => sender(schema.parse(settings))),
    webhook: webhook && {
      ...webhook,
      isGenuine: (call, settings, apiUrl) => webhook.isGenuine(call, schema.parse(settings), apiUrl),
    },
    open: (settings, context) => declared.open(schema.parse(settings), context),
  };
}

/** The names of the secret settings. */
export function secretSettings({ settings }: TransportAdapter): string[] {
  return Object.entries(settings.shape)
    .filter(([, field]) => settingMeaning.get(field)?.secret)
    .map(([name]) => name);
}

/** The names of the generated settings. */
export function generatedSettings({ settings }: TransportAdapter): string[] {
  return Object.entries(settings.shape)
    .filter(([, field]) => settingMeaning.get(field)?.generated)
    .map(([name]) => name);
}

/** The settings that may be stored and shown in plain text. */
export function withoutSecrets(
  { settings }: TransportAdapter,
  values: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const open = Object.entries(values).filter(([name]) => {
    const field = settings.shape[name];
    return field !== undefined && !settingMeaning.get(field)?.secret;
  });
  return Object.fromEntries(open);
}
