import type { Rename } from "#contract/csv.ts";
import { rowsOf } from "#web/features/csv/fault.ts";
import { Renames } from "#web/features/csv/renamed-people.tsx";
import type { Import } from "#web/features/csv/use-import.ts";
import { Segmented } from "#web/ui/segmented.tsx";

type Props = { importing: Import; renames: readonly Rename[] };

/** Asked before anything is written: whether these rows correct a name, or are people who share the address. */
export function RenameChoice({ importing, renames }: Props) {
  const { options, setOptions } = importing;
  const one = renames.length === 1;
  return (
    <section aria-label="Rows that would rename somebody" className="flex flex-col gap-2 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md bg-warn-soft px-3.5 py-2.5">
        <p className="min-w-0">
          <strong className="font-semibold">{rowsOf(renames.length)}</strong> would rename somebody. Update{" "}
          {one ? "it" : "them"} only if it is the same {one ? "person" : "people"} under a new name.
        </p>
        <Segmented
          label="Rows that would rename somebody"
          segments={[
            { value: "leave-out", label: one ? "Leave it out" : "Leave them out" },
            { value: "update", label: "Update" },
          ]}
          value={options.renames}
          onChange={(next) => setOptions({ renames: next })}
        />
      </div>
      <Renames renames={renames} />
    </section>
  );
}
