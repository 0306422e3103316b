import type { FieldErrors, Resolver } from "react-hook-form";
import type { Role } from "#contract/calls/auth.ts";
import type { Channel } from "#contract/delivery.ts";
import type { BodyIn } from "#contract/endpoint.ts";
import { floorsField, readFloors } from "#contract/text/homes-text.ts";
import { conditionForm, type ConditionForm, conditionOf } from "#web/domain/conditions/condition-form.ts";
import { groupBody, type Group, type GroupRule, type groups } from "#contract/calls/groups.ts";

export type Member = { id: number; name: string; detail: string };

/**
 * The dialog's fields. Existing members may be thousands and are only known by id; the form holds who is added and
 * removed.
 */
export type GroupForm = {
  name: string;
  description: string;
  kind: "hand" | "rule";
  added: Member[];
  removed: number[];
  roles: Role[];
  property: string;
  building: string;
  /** As someone writes them: "1-3, 7". */
  floors: string;
  stacks: string;
  unit: string;
  channel: Channel | "";
  details: ConditionForm[];
};

export const ruleFields = [
  "roles",
  "property",
  "building",
  "floors",
  "stacks",
  "unit",
  "channel",
  "details",
] as const satisfies (keyof GroupForm)[];
type RuleForm = Pick<GroupForm, (typeof ruleFields)[number]>;

export function groupForm(group: Group | undefined): GroupForm {
  return {
    name: group?.name ?? "",
    description: group?.description ?? "",
    kind: group?.rule ? "rule" : "hand",
    added: [],
    removed: [],
    roles: group?.rule?.roles ?? [],
    property: group?.rule?.property ?? "",
    building: group?.rule?.building ?? "",
    floors: floorsField(group?.rule?.floors ?? []),
    stacks: (group?.rule?.stacks ?? []).join(", "),
    unit: group?.rule?.unit ?? "",
    channel: group?.rule?.channel ?? "",
    details: (group?.rule?.details ?? []).map(conditionForm),
  };
}

/** The fields' values; an empty one is omitted. Floors that can't be read are none, which no rule may have. */
export function ruleOf(form: RuleForm): GroupRule {
  const { roles, channel } = form;
  const [property, building, unit] = [form.property.trim(), form.building.trim(), form.unit.trim()];
  const stacks = form.stacks.split(/[,;]/).map((stack) => stack.trim());
  return {
    ...(roles.length > 0 ? { roles } : {}),
    ...(property ? { property } : {}),
    ...(building ? { building } : {}),
    ...(form.floors.trim() ? { floors: readFloors(form.floors) ?? [] } : {}),
    ...(form.stacks.trim() ? { stacks: stacks.filter((stack) => stack !== "") } : {}),
    ...(unit ? { unit } : {}),
    ...(channel ? { channel } : {}),
    ...(form.details.length > 0 ? { details: form.details.map(conditionOf) } : {}),
  };
}

/** Who the members will be, by id. */
export function memberIdsAfter(
  before: readonly number[],
  form: Pick<GroupForm, "added" | "removed">,
): number[] {
  const removed = new Set(form.removed);
  return [...new Set([...before.filter((id) => !removed.has(id)), ...form.added.map(({ id }) => id)])];
}

type Body = BodyIn<typeof groups.create>;

export function bodyOf(form: GroupForm, before: readonly number[]): Body {
  const { name, description, kind } = form;
  return kind === "rule"
    ? { name, description, rule: ruleOf(form), userIds: [] }
    : { name, description, rule: null, userIds: memberIdsAfter(before, form) };
}

/** The form's name for a field of the call ("userIds", "rule.unit"); undefined if it has none. */
export function fieldOf(path: string): keyof GroupForm | undefined {
  const [root = "", part] = path.split(".");
  if (root === "userIds") return "added";
  const name = root === "rule" ? part : root;
  const known = ["name", "description", ...ruleFields] as const;
  return known.find((one) => one === name);
}

/** The contract's validation, applied to the body that would be sent. */
export function groupRules(before: readonly number[]): Resolver<GroupForm> {
  return (form) => {
    const checked = groupBody.safeParse(bodyOf(form, before));
    if (checked.success) return { values: form, errors: {} };
    const errors: FieldErrors<GroupForm> = {};
    for (const { path, message } of checked.error.issues) {
      const [, list, place] = path;
      if (list === "details" && typeof place === "number") {
        const details = (errors.details ??= []);
        details[place] ??= { type: "contract", message };
        continue;
      }
      const name = fieldOf(path.join("."));
      if (name === "floors") {
        errors.floors ??= { type: "contract", message: "Enter floors as numbers, such as 1–3 or 5, 7" };
        continue;
      }
      // A list's own error is next to those of its items.
      if (name === "added" || name === "roles") errors[name] ??= { root: { type: "contract", message } };
      else if (name) errors[name] ??= { type: "contract", message };
    }
    return { values: {}, errors };
  };
}
