import { type RawBuilder, sql } from "kysely";
import type { ChangedField, PersonChange } from "#contract/calls/import-results.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { fullName } from "#contract/text/full-name.ts";
import { residencyRoleText } from "#contract/homes.ts";
import type { Detail } from "#contract/text/kept-details.ts";
import type { PersonRecord } from "#server/features/csv/find-people.ts";
import type { Db } from "#server/db/database.ts";
import { openStay } from "#server/places/residencies.ts";

/** What an import changed of people, as the audit log has it. */

type Pair<T> = [before: T, after: T];
export type StoredChanges = { [Field in keyof PersonRecord]?: Pair<PersonRecord[Field]> } & {
  /** They move on a day to come. */
  move?: { home: string; day: string };
};

const fieldOf: Partial<Record<keyof PersonRecord, ChangedField>> = {
  firstName: "name",
  lastName: "name",
  email: "email",
  phone: "phone",
  otherContacts: "other-contacts",
  role: "role",
  propertyUnit: "home",
  property: "home",
  unit: "home",
  days: "days",
  details: "detail",
};

/** What this import has recorded of `import_people p`, as `audit a`. */
export const recordedOf = (importId: number): RawBuilder<unknown> => sql`
  a.subject_type = 'user' AND a.subject_id = p.person_id AND a.action IN ('user.update', 'residency.move')
    AND a.detail ->> 'importId' = ${String(importId)}`;

/** How many people have each of these changed. */
export async function countChanged(db: Db, importId: number): Promise<Partial<Record<ChangedField, number>>> {
  const { rows } = await sql<{ field: ChangedField; people: number }>`
    SELECT x.field, count(DISTINCT p.person_id) AS people
    FROM import_people p JOIN audit a ON ${recordedOf(importId)}
    CROSS JOIN LATERAL jsonb_object_keys(coalesce(a.detail -> 'changes', '{"property": null}')) AS k (key)
    JOIN unnest(${Object.keys(fieldOf)}::text[], ${Object.values(fieldOf)}::text[]) AS x (key, field) ON x.key = k.key
    WHERE p.import_id = ${importId} AND p.kind IN ('changed', 'out') GROUP BY x.field`.execute(db);
  return Object.fromEntries(rows.map(({ field, people }) => [field, people]));
}

/** What this import changed of these people, by their ids. */
export async function readChanges(
  db: Db,
  importId: number,
  personIds: readonly number[],
): Promise<Map<number, StoredChanges>> {
  const { rows } = await sql<{ id: number; changes: StoredChanges }>`
    SELECT p.person_id AS id, coalesce(a.detail -> 'changes', jsonb_build_object('move', a.detail)) AS changes
    FROM import_people p JOIN audit a ON ${recordedOf(importId)}
    WHERE p.import_id = ${importId} AND p.person_id = ANY(${[...personIds]}::bigint[]) ORDER BY a.id`.execute(
    db,
  );
  const found = new Map<number, StoredChanges>();
  for (const { id, changes } of rows) found.set(id, inARow(found.get(id) ?? {}, changes));
  return found;
}

/** Two changes as one: several rows of a file may be about a person. */
function inARow(first: StoredChanges, { move = first.move, ...second }: StoredChanges): StoredChanges {
  const begun = Object.entries(second).map(([field, [before, after]]) => [
    field,
    [(first as Record<string, Pair<unknown>>)[field]?.[0] ?? before, after],
  ]);
  return { ...first, ...Object.fromEntries(begun), ...(move && { move }) };
}

/** As people read them. A home is one thing, and so is a name. */
export function changesAsRead(
  stored: StoredChanges,
  now: Pick<PersonRecord, "firstName" | "lastName" | "propertyUnit">,
  details: readonly Detail[],
): PersonChange[] {
  const { firstName, lastName, propertyUnit, property, unit } = stored;
  const said = <T extends string | null>(field: ChangedField, pair: Pair<T> | undefined) =>
    pair ? [{ field, label: null, kind: null, before: pair[0] || null, after: pair[1] || null }] : [];
  const nameAt = (at: 0 | 1) =>
    fullName({ firstName: firstName?.[at] ?? now.firstName, lastName: lastName?.[at] ?? now.lastName });
  const home = propertyUnit ?? joined(property, unit);
  return [
    ...said("name", (firstName ?? lastName) ? [nameAt(0), nameAt(1)] : undefined),
    ...said("email", stored.email),
    ...said("phone", stored.phone),
    ...said("other-contacts", stored.otherContacts),
    ...said("role", stored.role),
    ...said("home", home),
    ...said("home", stored.move && [now.propertyUnit, `${stored.move.home}, ${dayText(stored.move.day)}`]),
    ...(stored.days ? changedDays(stored.days) : []),
    ...(stored.details ? changedDetails(stored.details, details) : []),
  ];
}

type Text = Pair<string | null> | undefined;

/** The text says the same as before, but another home is recognized in it. */
function joined(property: Text, unit: Text): Text {
  if (!property && !unit) return undefined;
  const at = (place: 0 | 1) => [property?.[place], unit?.[place]].filter(Boolean).join(" / ");
  return [at(0), at(1)];
}

const dayLabels = { firstDay: "Move-in", lastDay: "Move-out", leaseEnds: "Lease end" } as const;

function changedDays([before, after]: Pair<PersonRecord["days"]>): PersonChange[] {
  // What was recorded before there were roles has none.
  const [was, is] = [before, after].map((stay) => residencyRoleText[stay?.role ?? openStay.role]);
  const role = { field: "days" as const, label: "Role in the home", kind: "text" as const };
  const days = (Object.keys(dayLabels) as (keyof typeof dayLabels)[]).flatMap((day) => {
    const [first, second] = [before?.[day] ?? null, after?.[day] ?? null];
    const change = { field: "days" as const, label: dayLabels[day], kind: "date" as const };
    return first === second ? [] : [{ ...change, before: first, after: second }];
  });
  return was === is ? days : [{ ...role, before: was ?? null, after: is ?? null }, ...days];
}

function changedDetails(
  [before, after]: Pair<PersonRecord["details"]>,
  details: readonly Detail[],
): PersonChange[] {
  return details.flatMap(({ id, label, kind }) => {
    const [was, is] = [before[id] ?? null, after[id] ?? null];
    return was === is ? [] : [{ field: "detail" as const, label, kind, before: was, after: is }];
  });
}
