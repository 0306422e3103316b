import * as z from "zod";
import type { Provider, ProviderField } from "#contract/calls/integrations.ts";
import { settingMeaning, type TransportAdapter } from "#server/delivery/transports/adapter.ts";
import { adapters } from "#server/delivery/transports/registry.ts";

/** The providers that an account can be set up for, with what each asks: exactly what its transport declares. */
export function providers(): Provider[] {
  return adapters
    .filter(({ simulated }) => !simulated)
    .map((adapter) => ({
      kind: adapter.kind,
      label: adapter.label,
      about: adapter.about ?? "",
      what: adapter.what ?? "",
      cost: adapter.cost ?? "",
      site: adapter.site ?? null,
      steps: stepsOf(adapter),
      channels: [...adapter.channels],
      fields: fieldsOf(adapter),
    }));
}

/** Reports are a step of their own unless each message asks for its own and we need no key. */
function stepsOf({ settings, webhook }: TransportAdapter): number {
  const asked = Object.values(settings.shape).some((field) => !settingMeaning.get(field)?.generated);
  return Number(asked) + Number(webhook !== undefined && !(webhook.automatic && !webhook.key));
}

type Described = { type?: string; enum?: string[]; default?: ProviderField["default"] };

function fieldsOf({ settings }: TransportAdapter): ProviderField[] {
  const schema = z.toJSONSchema(settings, { io: "input", unrepresentable: "any" });
  const properties = (schema.properties ?? {}) as Record<string, Described>;
  const asked = Object.entries(settings.shape).filter(([, field]) => !settingMeaning.get(field)?.generated);
  return asked.map(([name, field]) => {
    const meaning = settingMeaning.get(field)!;
    const {
      label,
      hint = "",
      placeholder = "",
      secret,
      choices = {},
      formRequires,
      advanced,
      section = "",
    } = meaning;
    const described = properties[name] ?? {};
    return {
      name,
      label,
      hint,
      placeholder,
      input: secret ? "secret" : inputOf(name, described),
      choices: (described.enum ?? []).map((value) => ({ value, label: choices[value] ?? value })),
      default: described.default ?? null,
      requiredError: formRequires ?? ((schema.required ?? []).includes(name) ? errorOf(field, "") : null),
      advanced: advanced === true,
      section,
    };
  });
}

function errorOf(field: z.ZodType, value: unknown): string | null {
  return field.safeParse(value).error?.issues[0]?.message ?? null;
}

function inputOf(name: string, { type, enum: choices }: Described): ProviderField["input"] {
  if (choices) return "choice";
  if (type === "integer" || type === "number") return "number";
  return /email$/i.test(name) ? "email" : "text";
}
