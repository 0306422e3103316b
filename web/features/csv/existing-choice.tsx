import { number } from "#web/features/csv/fault.ts";
import type { Import } from "#web/features/csv/use-import.ts";
import { Segmented } from "#web/ui/segmented.tsx";

/** Asked before anything is written: what is to become of those who are here already. */
export function ExistingChoice({ importing, count }: { importing: Import; count: number }) {
  const { options, setOptions } = importing;
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md bg-info-soft px-3.5 py-2.5">
      <p className="text-sm">
        <strong className="font-semibold">{count === 1 ? "1 person" : `${number(count)} people`}</strong> of
        this file {count === 1 ? "exists" : "exist"} already.
      </p>
      <Segmented
        label="People who exist already"
        segments={[
          { value: "update", label: "Update" },
          { value: "skip", label: "Leave as they are" },
        ]}
        value={options.existing}
        onChange={(existing) => setOptions({ existing })}
      />
    </div>
  );
}
