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

/** A message's file, how it is read, and changing that. */
export function useCheck(id: number) {
  const read = useRead(calls.read, { params: { id } }, { fresh: true });
  const refresh = useRefresh();
  const [own, setOwn] = useState<ValuesOverview>();
  const [saving, setSaving] = useState(0);
  const queue = useRef<Promise<unknown>>(Promise.resolve());
  const overview = own ?? read.data;

  /** One change after another, so that the last answer is about all of them. */
  function inTurn(work: () => Promise<ValuesOverview>): void {
    setSaving((count) => count + 1);
    queue.current = queue.current
      .then(work)
      .then(setOwn, (error: unknown) => {
        const description = reasonWithoutStatus(error);
        toast({ title: "Nothing was changed", description, variant: "destructive" });
        setOwn(undefined);
      })
      .then(() =>
        refresh(
          calls.read,
          calls.rows,
          audience.reach,
          audience.reachList,
          audience.leftOut,
          audience.preview,
          audience.texts,
        ),
      )
      .finally(() => setSaving((count) => count - 1));
  }

  return {
    id,
    read,
    overview,
    saving: saving > 0,
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
