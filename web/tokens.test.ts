import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

type Tokens = Record<string, string>;

const css = readFileSync(join(import.meta.dirname, "tokens.css"), "utf8");

function block(selector: string): Tokens {
  const body = new RegExp(`(?:^|\\n)${selector.replace(".", "\\.")} \\{([^}]*)\\}`).exec(css)?.[1] ?? "";
  return Object.fromEntries(
    [...body.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
  );
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG 2 contrast, 1 to 21. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

const surfaces = ["paper", "card", "sunk", "hover"];
const text = [
  ...["ink", "ink-2", "ink-3"].flatMap((ink) => surfaces.map((surface) => [ink, surface])),
  ...["email", "sms", "push", "good", "warn", "bad", "info", "quiet"].map((tone) => [tone, `${tone}-soft`]),
  ...["good", "warn", "bad"].flatMap((tone) => ["paper", "card"].map((surface) => [tone, surface])),
  ["ink", "raised"],
  ["ink-2", "raised"],
  ["lamp-ink", "lamp-soft"],
  ["ink-3", "quiet-soft"],
  ["on-ink", "ink"],
  ["card", "bad"],
];
const outlines = ["edge", "focus"].flatMap((line) => ["card"].map((surface) => [line, surface]));

describe.each([
  ["light", block(".light")],
  ["dark", { ...block(".light"), ...block(".dark") }],
])("%s", (_, tokens) => {
  const of = (name: string) => tokens[name] ?? `missing: ${name}`;

  test.each(text)("%s can be read on %s", (ink = "", surface = "") => {
    expect(contrast(of(ink), of(surface))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(outlines)("%s can be seen beside %s", (line = "", surface = "") => {
    expect(contrast(of(line), of(surface))).toBeGreaterThanOrEqual(3);
  });

  test("the ring of the focus can be seen on the page", () => {
    expect(contrast(of("focus"), of("paper"))).toBeGreaterThanOrEqual(3);
  });

  test("initials can be read on the color of a role", () => {
    expect(contrast("#ffffff", of("role-admin"))).toBeGreaterThanOrEqual(4.5);
    expect(contrast("#ffffff", of("role-staff"))).toBeGreaterThanOrEqual(4.5);
  });
});
