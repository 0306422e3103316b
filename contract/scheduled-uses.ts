/** What is scheduled for a group or a person, as a refused deletion names it in its fields: "scheduled.12": "Rent reminder". */
export type ScheduledUse = { id: number; title: string };

export function scheduledFields(uses: readonly ScheduledUse[]): Record<string, string> {
  return Object.fromEntries(uses.map(({ id, title }) => [`scheduled.${id}`, title]));
}

/** The same read back; empty where something else was refused. */
export function scheduledUses(fields: Readonly<Record<string, string>>): ScheduledUse[] {
  return Object.entries(fields).flatMap(([name, title]) => {
    const id = /^scheduled\.(\d+)$/.exec(name)?.[1];
    return id === undefined ? [] : [{ id: Number(id), title }];
  });
}
