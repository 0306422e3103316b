import { groups } from "#contract/groups.ts";
import type { Group } from "#contract/groups.ts";
import { useReadList } from "#web/api/use-read.ts";

const none: readonly Group[] = [];

/**
 * All groups as of the last answer, which an outage leaves here. The button that opens the dialog asks for them too:
 * once the server is away it is too late. `fresh` asks anew: an import may have filled a group since.
 */
export function useKnownGroups({ fresh = false } = {}): readonly Group[] {
  return useReadList(groups.list, undefined, { fresh }).data?.rows ?? none;
}
