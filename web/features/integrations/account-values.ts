import type { Account, Provider, ProviderField, SettingValue } from "#contract/calls/integrations.ts";
import { nationalPhone } from "#web/domain/phone-number.ts";

/** An account as its form holds it: everything is text. A secret is empty until a new one is typed. */
export type AccountValues = {
  kind: string;
  name: string;
  weight: string;
  ratePerSecond: string;
  settings: Record<string, string>;
};

export function valuesOf(provider: Provider, account: Account | undefined): AccountValues {
  return {
    kind: provider.kind,
    name: account?.name ?? "",
    weight: String(account?.weight ?? 1),
    ratePerSecond: account?.ratePerSecond ? String(account.ratePerSecond) : "",
    settings: Object.fromEntries(
      provider.fields.map((field) => [field.name, textOf(field, account?.settings[field.name])]),
    ),
  };
}

function textOf({ input, default: fallback }: ProviderField, value: SettingValue | undefined): string {
  return input === "secret" ? "" : String(value ?? fallback ?? "");
}

/** The labels of what differs between two versions of an account, as its form shows them. */
export function differences(provider: Provider, before: Account, after: Account): string[] {
  const [was, is] = [valuesOf(provider, before), valuesOf(provider, after)];
  return [
    ...(was.name === is.name ? [] : ["Name"]),
    ...provider.fields
      .filter(
        ({ name }) =>
          was.settings[name] !== is.settings[name] || before.secrets[name] !== after.secrets[name],
      )
      .map(({ label }) => label),
    ...(was.weight === is.weight ? [] : ["Share"]),
    ...(was.ratePerSecond === is.ratePerSecond ? [] : ["Messages per second"]),
  ];
}

/** What a save sends. `removed`: the saved secrets that are to go. */
export function bodyOf(values: AccountValues, provider: Provider, removed: ReadonlySet<string>) {
  const settings = provider.fields.flatMap((field): [string, SettingValue | null][] => {
    const text = values.settings[field.name] ?? "";
    if (field.input === "secret") {
      if (text !== "") return [[field.name, text]];
      return removed.has(field.name) ? [[field.name, null]] : [];
    }
    if (field.input !== "number") return [[field.name, text]];
    return [[field.name, numberOf(text)]];
  });
  return {
    name: values.name,
    // What is no number is refused in the field's own sentence.
    weight: numberOf(values.weight) ?? -1,
    ratePerSecond: numberOf(values.ratePerSecond),
    settings: Object.fromEntries(settings),
  };
}

function numberOf(text: string): number | null {
  if (text.trim() === "") return null;
  const value = Number(text);
  return Number.isNaN(value) ? -1 : value;
}

/** What tells it from another account, and where it is set up. */
export function accountDetail({
  provider,
  source,
  settings,
  name,
  weight,
}: Pick<Account, "provider" | "source" | "settings" | "name" | "weight">): string {
  const { host, port, fromEmail, fromNumber, appId } = settings;
  const where = [
    host && `${host}, port ${port}`,
    fromEmail,
    fromNumber && nationalPhone(String(fromNumber)),
    appId,
  ];
  const parts = [...(provider === name ? [] : [provider]), ...where.filter(Boolean).map(String)];
  if (weight === 0) parts.push("backup");
  if (source === "environment") parts.push("set up in the server's environment");
  return parts.join(" · ");
}
