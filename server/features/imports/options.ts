import { csv } from "#contract/calls/csv.ts";
import type { QueryOf } from "#contract/endpoint.ts";
import type { StagedImport } from "#server/features/imports/staged.ts";

type Options = QueryOf<typeof csv.import> & { sheet: true };

/** What holds for everyone in a file: what someone chose, otherwise what holds for pasted rows. */
export const optionsOf = ({ choices }: Pick<StagedImport, "choices">): Options => ({
  ...csv.import.query.parse({}),
  sheet: true,
  ...choices.options,
});
