import { useState } from "react";
import { importResults } from "#contract/calls/import-results.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { call } from "#web/api/client.ts";

export type LeavingProperty = ReplyOf<typeof importResults.leaving>["properties"][number];

/** For which properties someone says that the file is complete. Nothing is chosen beforehand, nor kept. */
export function useLeaving(id: number) {
  const [chosen, setChosen] = useState<readonly LeavingProperty[]>([]);
  const [lastDay, setLastDay] = useState("");
  return {
    chosen,
    /** yyyy-MM-dd, "" while there is none. */
    lastDay,
    setLastDay,
    choose(property: LeavingProperty, complete: boolean) {
      const others = chosen.filter((one) => one.id !== property.id);
      setChosen(complete ? [...others, property] : others);
      if (lastDay === "") setLastDay(property.today);
    },
    forget: () => setChosen([]),
    people: chosen.reduce((all, { leaving }) => all + leaving, 0),
    /** Those of which so many people leave that it has to be said twice. */
    over: chosen.filter((one) => one.over),
    /** Tells the server, before the import begins. */
    say: () =>
      call(importResults.leave, {
        params: { id },
        body: {
          // No one leaves without a property.
          lastDay: lastDay || "2000-01-01",
          properties: chosen.map((one) => ({ id: one.id, people: one.leaving, again: one.over })),
        },
      }),
  };
}
export type Leaving = ReturnType<typeof useLeaving>;
