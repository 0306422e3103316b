import { type ImportOverview, imports, type SheetFault } from "#contract/calls/imports.ts";
import { call } from "#web/api/client.ts";

/** What an import would do, as far as it has been checked. */
export type Check = {
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  rejected: number;
  movingIn: number;
  movedOut: number;
  absent: NonNullable<ImportOverview["progress"]>["absent"];
  homes: ReadonlySet<string>;
  faults: readonly SheetFault[];
};

export const noCheck: Check = {
  rows: 0,
  created: 0,
  updated: 0,
  unchanged: 0,
  rejected: 0,
  movingIn: 0,
  movedOut: 0,
  absent: {},
  homes: new Set(),
  faults: [],
};

/** Checks all rows, one call after another. */
export async function checkRows(
  id: number,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (check: Check) => void },
): Promise<Check> {
  let check = noCheck;
  let body: { after?: number; since?: string } = {};
  for (;;) {
    const next = await call(imports.check, { params: { id }, body }, { signal });
    const absent = { ...check.absent };
    for (const [why, people] of Object.entries(next.absent)) {
      const key = why as keyof typeof absent;
      absent[key] = (absent[key] ?? 0) + people;
    }
    check = {
      rows: check.rows + next.rows,
      created: check.created + next.created,
      updated: check.updated + next.updated,
      unchanged: check.unchanged + next.unchanged,
      rejected: check.rejected + next.rejected,
      movingIn: check.movingIn + next.movingIn,
      movedOut: check.movedOut + next.movedOut,
      absent,
      homes: new Set([...check.homes, ...next.homes]),
      faults: [...check.faults, ...next.faults],
    };
    onProgress(check);
    if (next.after === null) return check;
    body = { after: next.after, since: next.startedAt };
  }
}

export const importedIn = ({
  created,
  updated,
  unchanged,
}: Pick<Check, "created" | "updated" | "unchanged">) => created + updated + unchanged;
