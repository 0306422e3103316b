import { useRef, useState } from "react";
import { audience } from "#contract/calls/audience.ts";
import { values as calls, type ValuesOverview } from "#contract/calls/values.ts";
import type { BodyIn } from "#contract/endpoint.ts";
import { call } from "#web/api/client.ts";
import { reasonWithoutStatus } from "#web/api/reason-of.ts";
import { useRead, useRefresh } from "#web/api/use-read.ts";
import { toast } from "#web/ui/feedback/toast-store.ts";

export type Change = BodyIn<typeof calls.change>;
export type CellFix = { line: number; column: number; text: string };

/** What a change makes stale. */
const stale = [
  calls.read,
  calls.rows,
  audience.reach,
  audience.reachList,
  audience.leftOut,
  audience.preview,
  audience.texts,
];

/** A message's file, how it is read, and changing that. */
export function useCheck(id: number) {
  const read = useRead(calls.read, { params: { id } }, { fresh: true });
  const refresh = useRefresh();
  const [own, setOwn] = useState<ValuesOverview>();
  const [saving, setSaving] = useState(0);
  const queue = useRef<Promise<ValuesOverview | undefined>>(Promise.resolve(undefined));
  const overview = own ?? read.data;

  /** One change after another, so that the last answer is about all of them. */
  function inTurn(work: () => Promise<ValuesOverview>): void {
    setSaving((count) => count + 1);
    queue.current = queue.current.then(async (before) => {
      try {
        const answer = await work();
        setOwn(answer);
        return answer;
      } catch (error) {
        const description = reasonWithoutStatus(error);
        toast({ title: "Nothing was changed", description, variant: "destructive" });
        setOwn(undefined);
        return before;
      } finally {
        await refresh(...stale);
        setSaving((count) => count - 1);
      }
    });
  }

  return {
    id,
    read,
    overview,
    saving: saving > 0,
    /** Resolves once nothing is under way: to the last answer, or undefined if nothing was changed. */
    settled: async () => queue.current,
    /** @param meanwhile what is shown until the server has answered */
    change(body: Change, meanwhile: Partial<ValuesOverview> = {}): void {
      if (overview) setOwn({ ...overview, ...meanwhile });
      inTurn(() => call(calls.change, { params: { id }, body }));
    },
    fix(cell: CellFix): void {
      inTurn(() => call(calls.fix, { params: { id }, body: { cells: [cell] } }));
    },
  };
}
export type Check = ReturnType<typeof useCheck>;
