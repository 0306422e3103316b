import type { ImportOverview } from "#contract/calls/imports.ts";
import { OptionsForm } from "#web/features/csv/options-form.tsx";
import type { Sheet } from "#web/features/csv/sheet/use-sheet.ts";
import { Segmented } from "#web/ui/form/segmented.tsx";

type Props = { sheet: Sheet; overview: ImportOverview };

/** What holds for everyone in the file. */
export function Everyone({ sheet, overview: { options } }: Props) {
  const change = ({ groups = options.groups, ...rest }: Partial<ImportOverview["options"]>) => {
    const next = { ...options, ...rest, groups };
    const { existing, defaultRole } = next;
    void sheet.change(
      { options: { existing, defaultRole, groupIds: groups.map(({ id }) => id) } },
      { options: next },
    );
  };
  return (
    <section
      aria-label="Everyone in this file"
      className="flex flex-col gap-3 rounded-lg border border-line bg-card p-4 shadow-card"
    >
      <OptionsForm
        options={options}
        onChange={({ groups, ...rest }) => change({ ...rest, ...(groups && { groups: [...groups] }) })}
      />
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md border border-line px-3.5 py-2.5 text-sm">
        <span className="font-medium">People already on file</span>
        <Segmented
          label="People already on file"
          segments={[
            { value: "update", label: "Update" },
            { value: "skip", label: "Don't change" },
          ]}
          value={options.existing}
          onChange={(existing) => change({ existing })}
        />
      </div>
    </section>
  );
}
