/**
 * What is scheduled for a group or a person, as listed in the fields of a refused deletion: "scheduled.12": "Rent
 * reminder" is a notification, "scheduled.schedule.5" a schedule.
 */
export type ScheduledUse = { type: "notification" | "schedule"; id: number; title: string };

export function scheduledFields(uses: readonly ScheduledUse[]): Record<string, string> {
  return Object.fromEntries(
    uses.map(({ type, id, title }) => [`scheduled.${type === "schedule" ? "schedule." : ""}${id}`, title]),
  );
}

/** Reads that list back; empty if the deletion was refused for another reason. */
export function scheduledUses(fields: Readonly<Record<string, string>>): ScheduledUse[] {
  return Object.entries(fields).flatMap(([name, title]) => {
    const found = /^scheduled\.(schedule\.)?(\d+)$/.exec(name);
    return found ? [{ type: found[1] ? "schedule" : "notification", id: Number(found[2]), title }] : [];
  });
}
