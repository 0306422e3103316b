import type { RawBuilder } from "kysely";
import * as z from "zod";
import type { Channel } from "#contract/delivery.ts";
import type { AccountSender } from "#server/delivery/accounts.ts";
import type { Tracker } from "#server/delivery/receipts/tracking-address.ts";
import type { NetworkGuard } from "./network-guard.ts";
import type { PushRecipients } from "./push/recipients.ts";
import type { Recovery, Transport } from "./transport.ts";
import type { Webhook } from "./webhook.ts";

/** How a form presents one setting. Its schema holds the choices, the default and the error text. */
export type SettingMeaning = {
  label: string;
  hint?: string;
  /** An example, shown while the field is empty. */
  placeholder?: string;
  /** Never shown again, and never stored in plain text. */
  secret?: true;
  /** The secrets of which it decides where they go: a change requires entering them again. */
  leads?: readonly string[];
  /** What a form says where it is empty, though an account of the environment may do without. */
  formRequires?: string;
  /** A choice's label, where its value is no word for people. */
  choices?: Readonly<Record<string, string>>;
  /** Made when an account is set up: no form asks for it, and no call changes it. */
  generated?: true;
  /** Settings that most people never touch. */
  advanced?: true;
  /** The heading under which a form keeps it with others, folded away: an account works without them. */
  section?: string;
};

/** Every setting of every adapter is registered here. */
export const settingMeaning = z.registry<SettingMeaning>();

/** What a transport is opened with besides its settings. */
export type OpenContext = {
  channel: Channel;
  /** Where the provider's API is, without a slash at the end; "" where the adapter names none. */
  apiUrl: string;
  /** Asked for every host that a person can type. Null: the environment named it, which may name any. */
  guard: NetworkGuard | null;
  /**
   * Where this account's webhook is, for a provider that is told with each message. Left out of a draft, and where our
   * address only opens on this computer.
   */
  webhookUrl?: string | undefined;
  /** For a transport that counts opens and clicks by addresses of ours. Left out where no one could reach those. */
  tracker?: Tracker | undefined;
  /** What a push transport looks up of the people it sends to. */
  recipients?: PushRecipients | undefined;
};

/** One way to send: what an account of it needs, and how it is opened. Nothing else knows a transport by its name. */
export type TransportAdapter = {
  /** As in `accounts.kind`: "smtp". */
  kind: string;
  /** The name people know: "SMTP". */
  label: string;
  /** What a form says about it, where its name and fields leave it open. */
  about?: string;
  channels: readonly Channel[];
  /** Nothing leaves this installation. Its account serves a channel only while no other account is enabled. */
  simulated: boolean;
  recovery: Recovery;
  /**
   * Of one that reaches people only in browsers where they turned notifications on in their profile: the public key with
   * which they did, of settings that are valid. An account keeps it for good.
   */
  browserKey?: ((settings: Readonly<Record<string, unknown>>) => string) | undefined;
  /** Of the same: whether a browser's messages can go to this address, which anyone signed in may have made up. */
  isBrowserEndpoint?: (endpoint: string, apiUrl: string) => boolean;
  /**
   * Of a simulated one: the addresses to which it accepts every message at once, as a condition in SQL. Spreading a run
   * writes those deliveries with their outcome; what the condition leaves out is sent like any other.
   */
  acceptsAtOnce?: (address: RawBuilder<unknown>) => RawBuilder<unknown>;
  settings: z.ZodObject;
  /** Makes the settings that are `generated`. */
  generate?: () => Record<string, string>;
  /** A provider's web API. Only the environment moves it elsewhere: to a region's host, or to an emulator. */
  api?: { url: string; variable: string };
  /** What recipients see as the sender, of settings that are valid; without it the site's name stands there. */
  sender?: ((settings: Readonly<Record<string, unknown>>) => AccountSender) | undefined;
  /** Of text messages: it leaves it to its customers to answer HELP. */
  leavesHelp?: true;
  /** Where the provider reports back. It is given settings that are valid. */
  webhook?: Webhook<Readonly<Record<string, unknown>>> | undefined;
  /** @throws {z.ZodError} where the settings are not what the schema asks for */
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

/** The names of the settings that are never shown again. */
export function secretSettings({ settings }: TransportAdapter): string[] {
  return Object.entries(settings.shape)
    .filter(([, field]) => settingMeaning.get(field)?.secret)
    .map(([name]) => name);
}

/** The names of the settings that are made and not asked for. */
export function generatedSettings({ settings }: TransportAdapter): string[] {
  return Object.entries(settings.shape)
    .filter(([, field]) => settingMeaning.get(field)?.generated)
    .map(([name]) => name);
}

/** The settings as they may be stored and shown. */
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
