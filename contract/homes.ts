/** What someone is to a home. */
export const residencyRoles = ["leaseholder", "occupant", "owner", "guarantor", "contact"] as const;
export type ResidencyRole = (typeof residencyRoles)[number];

/** Those who live there. What is sent to a home, a property or all tenants goes to them. */
export const livingRoles = ["leaseholder", "occupant"] as const satisfies readonly ResidencyRole[];
export const lives = (role: ResidencyRole): boolean => livingRoles.some((one) => one === role);

export const residencyRoleText: Record<ResidencyRole, string> = {
  leaseholder: "Leaseholder",
  occupant: "Occupant",
  owner: "Owner",
  guarantor: "Guarantor",
  contact: "Contact",
};

/** A span of days, "2026-11-30", both included; null is open. */
export type Days = { firstDay: string | null; lastDay: string | null };

export const standings = ["past", "now", "future"] as const;
export type Standing = (typeof standings)[number];

/** Where a span is as seen from a day. */
export function standingOn(day: string, { firstDay, lastDay }: Days): Standing {
  if (lastDay !== null && lastDay < day) return "past";
  return firstDay !== null && firstDay > day ? "future" : "now";
}

/** "2026-11-30" some days later, or earlier. */
export function dayAfter(day: string, days = 1): string {
  const date = new Date(`${day}T00:00:00Z`);
  date.setUTCDate(date.getUTCDate() + days);
  return date.toISOString().slice(0, 10);
}
