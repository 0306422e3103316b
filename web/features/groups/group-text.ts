import { isolated } from "#contract/text/isolate.ts";
import type { Role } from "#contract/calls/auth.ts";
import { channelMeaning } from "#contract/delivery.ts";
import type { GroupRule } from "#contract/calls/groups.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import type { users } from "#contract/calls/users.ts";
import { conditionText } from "#contract/text/detail-conditions.ts";
import { personDetails } from "#contract/text/kept-details.ts";
import { whereTexts } from "#contract/text/homes-text.ts";
import { listText, numberText } from "#contract/text/locale.ts";

const roleText: Record<Role, string> = { tenant: "tenants", staff: "staff", admin: "administrators" };

/** "Tenants at Elm House, floors 1–3, in units 4*, reachable by SMS"; an empty rule is "Everyone". */
export function ruleText(rule: GroupRule): string {
  const { roles = [], property, unit, channel } = rule;
  const who = roles.length > 0 ? listText(roles.map((role) => roleText[role])) : "everyone";
  const places = [...(property ? [isolated(property)] : []), ...whereTexts(rule)];
  const onFloors = !property && !rule.building && !rule.stacks;
  const where = [
    places.length > 0 && ` ${property ? "at" : onFloors ? "on" : "in"} ${places.join(", ")}`,
    unit && ` in ${unit.includes("*") ? "units" : "unit"} ${isolated(unit)}`,
  ];
  const how = channel ? `, reachable by ${channelMeaning[channel].spoken}` : "";
  const kept = (rule.details ?? []).map((one) => `, ${conditionText(one, labelOf(one.detail))}`);
  const words = `${who}${where.filter(Boolean).join("")}${how}${kept.join("")}`;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const labelOf = (id: number) => personDetails().find((detail) => detail.id === id)?.label;

export type SyncReport = Pick<ReplyOf<typeof users.syncGroups>, "created" | "removed" | "message">;

/** So many names still make a sentence; more need a list. */
const NAMED = 3;

/** Whether a toast has no room for the names. */
export function needsList({ created, removed }: SyncReport): boolean {
  return created.length + removed.length > NAMED;
}

export function syncText(report: SyncReport): string {
  if (!needsList(report)) return report.message;
  const count = (groups: readonly string[], what: string) =>
    groups.length > 0 ? `${numberText(groups.length)} ${what}` : "";
  return (
    [count(report.created, "created"), count(report.removed, "removed")].filter(Boolean).join(", ") + "."
  );
}
