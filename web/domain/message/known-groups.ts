import { groups, type Group } from "#contract/calls/groups.ts";
import { useReadList } from "#web/api/use-read.ts";

const none: readonly Group[] = [];

/** The most that one reply contains. */
const MOST = 100;

/**
 * The first groups from the last reply, which stay available during an outage. The button that opens the dialog loads
 * them too, because once the server is unreachable it is too late. `fresh` loads again: an import may have added
 * members since.
 */
export function useKnownGroups({ fresh = false } = {}): readonly Group[] {
  return (
    useReadList(groups.list, { query: { bestFirst: true, pageSize: MOST } }, { fresh }).data?.rows ?? none
  );
}
