import { groups } from "#contract/groups.ts";
import type { Group } from "#contract/groups.ts";
import { useReadList } from "#web/api/use-read.ts";

const none: readonly Group[] = [];

/** As many as one answer holds. */
const MOST = 100;

/**
 * The first groups as of the last answer, which an outage leaves here. The button that opens the dialog asks for them too:
 * once the server is away it is too late. `fresh` asks again: an import may have filled a group since.
 */
export function useKnownGroups({ fresh = false } = {}): readonly Group[] {
  return useReadList(groups.list, { query: { pageSize: MOST } }, { fresh }).data?.rows ?? none;
}
