import type { Channel } from "#contract/delivery.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import type { integrations } from "#contract/calls/integrations.ts";
import { enterSecretAgain, unknownSetting } from "#contract/refusals/providers.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { SecretBox } from "#server/db/secret-box.ts";
import { openSecrets } from "#server/delivery/accounts/account-secrets.ts";
import type { Account } from "#server/delivery/accounts/accounts.ts";
import {
  generatedSettings,
  secretSettings,
  settingMeaning,
  type TransportAdapter,
} from "#server/delivery/transports/adapter.ts";
import { adapters } from "#server/delivery/transports/registry.ts";

type Given = BodyOf<typeof integrations.create>["settings"];
type Before = Pick<Account, "id" | "settings" | "secrets">;

/** The adapter that a person has chosen. Throws invalid-input at `kind`. */
export function adapterFor(kind: string, channel: Channel): TransportAdapter {
  const offered = adapters.filter((one) => !one.simulated && one.channels.includes(channel));
  const adapter = offered.find((one) => one.kind === kind);
  if (adapter) return adapter;
  throw refusal("provider-of-other-channel", { kinds: offered.map((one) => one.kind), channel });
}

/**
 * The settings as a transport takes them: what was given, and the saved secrets where none was. Throws invalid-input
 * with a sentence at each wrong field, "settings.apiKey".
 */
export function completeSettings(
  adapter: TransportAdapter,
  typed: Given,
  before: Before | undefined,
  box: SecretBox,
): Record<string, unknown> {
  const given = withGenerated(adapter, typed, before);
  const names = secretSettings(adapter);
  const isSecret = (name: string) => names.includes(name);
  const open = Object.fromEntries(
    Object.entries(given).filter(([name, value]) => !isSecret(name) && value !== null),
  );
  const secrets: Record<string, unknown> = {};
  const kept: string[] = [];
  for (const name of names) {
    const value = given[name];
    if (value === null) continue;
    if (value !== undefined && value !== "") secrets[name] = value;
    else if (before?.secrets[name] !== undefined) {
      const saved = savedSecret(before, name, box);
      if (saved === undefined) continue;
      secrets[name] = saved;
      kept.push(name);
    }
  }
  const parsed = adapter.settings.safeParse({ ...open, ...secrets });
  const fields: Record<string, string> = {};
  for (const { path, message } of parsed.error?.issues ?? [])
    fields[`settings.${path.join(".")}`] ??= message;
  for (const [name, field] of Object.entries(adapter.settings.shape)) {
    const sentence = settingMeaning.get(field)?.formRequires;
    if (sentence && String(open[name] ?? "").trim() === "") fields[`settings.${name}`] ??= sentence;
  }
  if (before && parsed.success) {
    for (const name of kept) {
      if (leadsElsewhere(adapter, name, before, parsed.data))
        fields[`settings.${name}`] ??= enterAgain(adapter, name);
    }
  }
  // What is stored may come from an earlier version.
  const known = { ...before?.settings, ...adapter.settings.shape };
  for (const name of Object.keys(typed)) {
    if (!Object.hasOwn(known, name)) fields[`settings.${name}`] = unknownSetting(adapter.label, name);
  }
  if (!parsed.success || Object.keys(fields).length > 0) {
    throw refusal("provider-settings-not-valid", { fields });
  }
  return parsed.data;
}

/** A generated setting is made once, and no call changes it. A secret one is stored like any other. */
function withGenerated(adapter: TransportAdapter, typed: Given, before: Before | undefined): Given {
  const generated = generatedSettings(adapter);
  const asked = Object.entries(typed).filter(([name]) => !generated.includes(name));
  const made = before
    ? Object.entries(before.settings as Given).filter(([name]) => generated.includes(name))
    : Object.entries(adapter.generate?.() ?? {});
  return Object.fromEntries([...asked, ...made]);
}

function savedSecret(before: Before, name: string, box: SecretBox): string | undefined {
  try {
    return openSecrets(box, before.id, { [name]: before.secrets[name]! })[name];
  } catch {
    return undefined;
  }
}

/** Someone who does not know a secret must not be able to have it sent to a server of their own. */
function leadsElsewhere(
  adapter: TransportAdapter,
  secret: string,
  before: Before,
  now: Record<string, unknown>,
): boolean {
  return Object.entries(adapter.settings.shape).some(
    ([name, field]) =>
      settingMeaning.get(field)?.leads?.includes(secret) && before.settings[name] !== now[name],
  );
}

function enterAgain({ settings }: TransportAdapter, name: string): string {
  return enterSecretAgain(settingMeaning.get(settings.shape[name])!.label);
}
