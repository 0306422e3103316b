import type { Role } from "#contract/auth.ts";
import { channelMeaning } from "#contract/delivery.ts";
import type { GroupRule } from "#contract/groups.ts";

const roleText: Record<Role, string> = { tenant: "tenants", staff: "staff", admin: "administrators" };
const list = new Intl.ListFormat("en-US", { type: "conjunction" });

/** "Tenants at Elm House in units 4*, reachable by SMS"; an empty rule is "Everyone". */
export function ruleText({ roles = [], property, unit, channel }: GroupRule): string {
  const who = roles.length > 0 ? list.format(roles.map((role) => roleText[role])) : "everyone";
  const where = [
    property && ` at ${property}`,
    unit && ` in ${unit.includes("*") ? "units" : "unit"} ${unit}`,
  ];
  const how = channel ? `, reachable by ${channelMeaning[channel].spoken}` : "";
  const words = `${who}${where.filter(Boolean).join("")}${how}`;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function people(count: number): string {
  return `${count.toLocaleString("en-US")} ${count === 1 ? "person" : "people"}`;
}
