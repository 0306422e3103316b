import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { Avatar } from "#web/domain/avatar.tsx";
import { channelLook } from "#web/domain/channel.tsx";
import { roleLook } from "#web/domain/role-badge.tsx";
import { statusLook } from "#web/domain/status-badge.tsx";
import { toneClass } from "#web/ui/badge.tsx";

/** The colors that the specification names, as the hues of our tokens in both themes. */

const css = readFileSync(new URL("../tokens.css", import.meta.url), "utf8");

/** What people call the color of every token of this name. */
function colorsOf(token: string): Set<string> {
  const found = css.matchAll(new RegExp(String.raw`--${token}: #([0-9a-f]{6});`, "g"));
  return new Set([...found].map(([, hex = ""]) => colorName(hex)));
}

function colorName(hex: string): string {
  const [r = 0, g = 0, b = 0] = [0, 2, 4].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255);
  const [most, least] = [Math.max(r, g, b), Math.min(r, g, b)];
  if (most - least < 0.12) return "gray";
  const turn =
    most === r
      ? (g - b) / (most - least)
      : most === g
        ? 2 + (b - r) / (most - least)
        : 4 + (r - g) / (most - least);
  const hue = (turn * 60 + 360) % 360;
  if (hue < 20) return "red";
  if (hue < 70) return "yellow";
  if (hue < 180) return "green";
  return hue < 250 ? "blue" : hue < 300 ? "purple" : "red";
}

/** The color of the text or, without one of its own, of the surface. */
const colorIn = (classes: string) => {
  const names = [...classes.matchAll(/(?:text|bg)-([\w-]+)/g)].map(([, name = ""]) => name);
  return [...new Set(names.flatMap((name) => [...colorsOf(name)]))];
};
const textColor = (classes: string) => colorIn(/text-[\w-]+/.exec(classes)?.[0] ?? "");

// spec 115
test.each([
  ["email", "blue"],
  ["sms", "green"],
  ["push", "purple"],
] as const)("the icon of %s is %s", (channel, color) => {
  expect(textColor(channelLook[channel].soft)).toEqual([color]);
});

test.each([
  // spec 179
  ["Delivered", "green"],
  // spec 180
  ["Partially Delivered", "yellow"],
  // spec 181
  ["Failed", "red"],
  // spec 182
  ["Scheduled", "blue"],
  // spec 183
  ["Draft", "gray"],
  // spec 184
  ["Recurring", "gray"],
  // spec 185
  ["Sending", "gray"],
  ["Cancelled", "gray"],
] as const)("the status %s is %s", (status, color) => {
  expect(textColor(toneClass[statusLook[status].tone])).toEqual([color]);
});

// spec 443
test.each([
  ["tenant", "green"],
  ["staff", "blue"],
  ["admin", "purple"],
] as const)("the badge of the role %s is %s", (role, color) => {
  expect(textColor(toneClass[roleLook[role].tone])).toEqual([color]);
});

const avatarOf = (role: string) =>
  (Avatar({ person: { firstName: "Ada", lastName: "Owner", role } }).props as { className: string })
    .className;

test.each([
  // spec 37
  ["admin", "purple"],
  // spec 38
  ["staff", "blue"],
])("the avatar of the role %s is %s", (role, color) => {
  expect(colorIn(/bg-role-\w+/.exec(avatarOf(role))?.[0] ?? "")).toEqual([color]);
});

// spec 39
test("the avatar of any other role has the color of primary buttons", () => {
  for (const role of ["tenant", "owner"]) expect(avatarOf(role)).toContain("bg-ink ");
});

// spec 40
test("an avatar that is loading is gray, pulses and shows dots", () => {
  const { className, children } = Avatar({ person: undefined, loading: true }).props as {
    className: string;
    children: string;
  };
  expect(className).toContain("animate-pulse");
  expect(textColor(/text-quiet\b/.exec(className)?.[0] ?? "")).toEqual(["gray"]);
  expect(children).toBe("...");
});

// spec 442
test("an admin reads Administrator", () => {
  expect(roleLook.admin.label).toBe("Administrator");
});
