import { createContext, use } from "react";

export type MissedRun = { scheduleId: number; occurrence: string };

type Kept = { replaces?: MissedRun | undefined };

/** What this browser keeps for the server, some of it in place of missed runs. */
export const KeptHere = createContext<readonly Kept[]>([]);

/** Whether what replaces this run waits in this browser. */
export function useIsReplaced({ scheduleId, occurrence }: MissedRun): boolean {
  return use(KeptHere).some(
    ({ replaces }) => replaces?.scheduleId === scheduleId && replaces.occurrence === occurrence,
  );
}
