import type { RawBuilder } from "kysely";
import * as z from "zod";
import type { Channel } from "#contract/delivery.ts";
import type { Recovery, Transport } from "./transport.ts";

/** How a form presents one setting. Its schema holds the choices, the default and the error text. */
export type SettingMeaning = {
  label: string;
  hint?: string;
  /** Never shown again, and never stored in plain text. */
  secret?: true;
};

/** Every setting of every adapter is registered here. */
export const settingMeaning = z.registry<SettingMeaning>();

/** One way to send: what an account of it needs, and how it is opened. Nothing else refers to a transport by name. */
export type TransportAdapter = {
  /** As in `accounts.kind`: "smtp". */
  kind: string;
  /** The name people know: "SMTP". */
  label: string;
  channels: readonly Channel[];
  /** Nothing leaves this installation. Its account serves a channel only while no other account is enabled. */
  simulated: boolean;
  recovery: Recovery;
  /**
   * Of a simulated one: the addresses to which it accepts every message at once, as a condition in SQL. Spreading a run
   * writes those deliveries with their outcome; what the condition leaves out is sent like any other.
   */
  acceptsAtOnce?: (address: RawBuilder<unknown>) => RawBuilder<unknown>;
  settings: z.ZodObject;
  /** @throws {z.ZodError} if the settings do not match the schema */
  open(settings: unknown, channel: Channel): Transport;
};

type Declared<Settings extends z.ZodObject> = Omit<TransportAdapter, "settings" | "open"> & {
  settings: Settings;
  open(settings: z.output<Settings>, channel: Channel): Transport;
};

export function transportAdapter<Settings extends z.ZodObject>(
  declared: Declared<Settings>,
): TransportAdapter {
  return {
    ...declared,
    open: (settings, channel) => declared.open(declared.settings.parse(settings), channel),
  };
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
