import { describe, expect, test } from "vitest";
import { settingMeaning, withoutSecrets } from "./adapter.ts";
import { adapters } from "./registry.ts";

test("each transport has a unique name and label", () => {
  expect(new Set(adapters.map(({ kind }) => kind)).size).toBe(adapters.length);
  expect(new Set(adapters.map(({ label }) => label)).size).toBe(adapters.length);
});

describe.each(adapters.map((adapter) => [adapter.kind, adapter] as const))("%s", (_, adapter) => {
  test("has a form label for each setting", () => {
    for (const [name, field] of Object.entries(adapter.settings.shape)) {
      expect([name, settingMeaning.get(field)?.label]).toEqual([name, expect.stringMatching(/^[A-Z]/)]);
    }
  });

  test("is offered with what tells it from others, and without a price in figures", () => {
    if (adapter.simulated) return;
    expect([adapter.what, adapter.cost]).toEqual([
      expect.stringMatching(/^[A-Z]/),
      expect.stringMatching(/^[A-Z][^$€£\d]+$/),
    ]);
  });

  test("verifies what its provider reports with a setting that it has", () => {
    expect([undefined, ...Object.keys(adapter.settings.shape)]).toContain(adapter.webhook?.key);
  });

  test("asks for missing settings in a sentence", () => {
    const { error } = adapter.settings.safeParse({});
    for (const { path, message } of error?.issues ?? []) {
      expect([path, message]).toEqual([
        path,
        expect.stringMatching(/^[A-Z].* is required$|^Invalid email address$/),
      ]);
    }
  });
});

test("what may be stored contains no secrets and no unknown settings", () => {
  const smtp = adapters.find(({ kind }) => kind === "smtp")!;
  const values = { host: "mail.example.com", user: "ann", password: "geheim", passwort: "geheim" };
  expect(withoutSecrets(smtp, values)).toEqual({ host: "mail.example.com", user: "ann" });
});
