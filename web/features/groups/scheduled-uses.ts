export type ScheduledUse = { id: number; title: string };

/** What is scheduled with a group, as a refused deletion names it: fields "scheduled.12": "Rent reminder". */
export function scheduledUses(fields: Readonly<Record<string, string>>): ScheduledUse[] {
  return Object.entries(fields).flatMap(([name, title]) => {
    const id = /^scheduled\.(\d+)$/.exec(name)?.[1];
    return id === undefined ? [] : [{ id: Number(id), title }];
  });
}
