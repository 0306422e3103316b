import { counted } from "#contract/text/count-text.ts";
import { useState } from "react";
import { splitFullName } from "#contract/text/full-name.ts";
import { listText, numberText } from "#contract/text/locale.ts";
import { AddressWarnings } from "#web/features/csv/address-warnings.tsx";
import { FaultTable, TaskList } from "#web/features/csv/fault-table.tsx";
import type { PersonRow } from "#contract/text/sheet-columns.ts";
import type { FileSummary } from "#web/features/csv/import-file.ts";
import { type Check, raggedLines, withDecisions } from "#web/features/csv/import-form.ts";
import { leftOut, totalOf } from "#web/features/csv/outcome.ts";
import { noRows, type Tally } from "#web/features/csv/send-rows.ts";
import { UndecidedPeople } from "#web/features/csv/undecided-people.tsx";
import type { Import } from "#web/features/csv/use-import.ts";
import { Badge } from "#web/ui/feedback/badge.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Checkbox } from "#web/ui/form/checkbox.tsx";
import { type Column, DataTable } from "#web/ui/list/data-table.tsx";
import { Progress } from "#web/ui/feedback/progress.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";

type Props = { importing: Import; summary: FileSummary; check: Check | null };

/** What the import would do: counts, decisions, problems, and the first people as they will be imported. */
export function ImportPreview({ importing, summary, check }: Props) {
  const { preview, raggedBox, leaveOutRagged, decisions, options, setOptions } = importing;
  // The last result stays while the rows are checked again, so that what was just clicked does not vanish.
  const [last, setLast] = useState(noRows);
  if (check?.state === "done" && check.tally !== last) setLast(check.tally);
  const tally = check && check.state !== "failed" ? check.tally : noRows;
  const undecided = last.faults.filter(({ kind }) => kind === "undecided");
  const faults = [...summary.faults, ...withDecisions(tally, decisions).faults].sort(
    (a, b) => a.line - b.line,
  );
  const ragged = raggedLines(summary).length;
  return (
    <section
      ref={preview}
      tabIndex={-1}
      aria-label="What will be imported"
      className="flex flex-col gap-3 outline-none"
    >
      <CheckLine importing={importing} summary={summary} check={check} />
      {last.existing > 0 && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 rounded-md bg-info-soft px-3.5 py-2.5 text-sm">
          <p>
            <strong className="font-semibold">{counted(last.existing, "person")}</strong> in this file already{" "}
            {last.existing === 1 ? "exists" : "exist"}.
          </p>
          <Segmented
            label="People already on file"
            segments={[
              { value: "update", label: "Update" },
              { value: "skip", label: "Don't change" },
            ]}
            value={options.existing}
            onChange={(existing) => setOptions({ existing })}
          />
        </div>
      )}
      {last.absent > 0 && <AbsentPeople importing={importing} tally={last} unit={summary.unit} />}
      <UndecidedPeople importing={importing} faults={undecided} />
      <Renames renames={tally.renames} />
      <AddressWarnings warnings={tally.warnings} />
      {summary.otherRoles.length > 0 && <OtherRoles roles={summary.otherRoles} />}
      <TaskList faults={faults.filter(({ kind }) => kind !== "absent")} />
      {ragged > 0 && (
        <Checkbox
          ref={raggedBox}
          label={`Leave out ${counted(ragged, "row")} with a different number of cells`}
          checked={leaveOutRagged}
          onChange={(event) => importing.setLeaveOutRagged(event.target.checked)}
        />
      )}
      <FaultTable faults={faults.filter(({ kind }) => kind !== "undecided" && kind !== "absent")} />
      <h3 className="mt-2 text-sm font-semibold">First people in the file</h3>
      <div className="md:rounded-md md:border md:border-line">
        <DataTable
          label="First people in the file"
          columns={personColumns}
          rows={summary.first}
          rowKey={(row) => summary.first.indexOf(row)}
        />
      </div>
    </section>
  );
}

function CheckLine({ importing, summary, check }: Props) {
  if (check === null) return null;
  if (check.state === "failed") {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-warn">
        <p>We couldn't check these rows. {check.message}</p>
        <Button size="sm" onClick={importing.checkAgain}>
          Check again
        </Button>
      </div>
    );
  }
  if (check.state === "running") {
    return (
      <div className="flex flex-col gap-2 text-sm text-ink-2">
        <p className="tabular">
          Checking {numberText(check.tally.sent)} of {counted(summary.sendable, summary.unit)}
        </p>
        <Progress label="Rows checked" value={check.tally.sent} max={summary.sendable} />
      </div>
    );
  }
  const tally = withDecisions(check.tally, importing.decisions);
  const missing = leftOut({ summary, tally });
  return (
    <output className="flex flex-wrap items-center gap-2">
      <span className="mr-1 font-semibold">{counted(totalOf(summary), summary.unit)}</span>
      {tally.created > 0 && <Badge tone="good">{numberText(tally.created)} new</Badge>}
      {tally.updated > 0 && <Badge tone="info">{numberText(tally.updated)} to update</Badge>}
      {tally.unchanged > 0 && <Badge>{numberText(tally.unchanged)} unchanged</Badge>}
      {tally.skipped > 0 && <Badge>{numberText(tally.skipped)} not changed</Badge>}
      {missing > 0 && <Badge tone="bad">{numberText(missing)} to be left out</Badge>}
    </output>
  );
}

const ABSENT_SHOWN = 20;

type AbsentProps = { importing: Import; tally: Tally; unit: FileSummary["unit"] };

/** Past tenants, applicants and empty homes, as rent rolls list them: notices about the building aren't for them. */
function AbsentPeople({ importing: { options, setOptions }, tally, unit }: AbsentProps) {
  const rows = tally.faults.filter(({ kind }) => kind === "absent");
  return (
    <section
      aria-label="People who don't live there"
      className="flex flex-col gap-2 rounded-md bg-info-soft px-3.5 py-2.5 text-sm"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p>
          <strong className="font-semibold">{counted(tally.absent, unit)}</strong>{" "}
          <span>with a status such as past, evicted, applicant or vacant.</span>
        </p>
        <Segmented
          label="People who don't live there"
          segments={[
            { value: "leave-out", label: "Leave out" },
            { value: "import", label: "Import" },
          ]}
          value={options.absent}
          onChange={(absent) => setOptions({ absent })}
        />
      </div>
      {rows.length > 0 && (
        <ul className="flex flex-col gap-0.5 text-ink-2">
          {rows.slice(0, ABSENT_SHOWN).map(({ line, place, reason }) => (
            <li key={place} className="flex flex-wrap gap-x-2">
              <span className="tabular text-ink-3">Row {line}</span>
              <bdi translate="no" className="min-w-0 wrap-anywhere">
                {reason}
              </bdi>
            </li>
          ))}
          {rows.length > ABSENT_SHOWN && (
            <li className="text-ink-3">
              The first {ABSENT_SHOWN}. After the import you can download all of them.
            </li>
          )}
        </ul>
      )}
    </section>
  );
}

const RENAMES_SHOWN = 20;

/** A mistyped username or address would rename someone else here. */
function Renames({ renames }: Pick<Tally, "renames">) {
  if (renames.length === 0) return null;
  const one = renames.length === 1;
  return (
    <section aria-label="People whose name changes" className="flex flex-col gap-2 text-sm">
      <p className="text-warn">
        <span className="font-semibold">
          {counted(renames.length, "person")} {one ? "gets" : "get"} a new name.
        </span>{" "}
        Make sure {one ? "it is" : "they are"} still the same {one ? "person" : "people"}.
      </p>
      <ol className="divide-y divide-line rounded-md border border-line">
        {renames.slice(0, RENAMES_SHOWN).map(({ row, before, after }) => (
          <li key={`${row} ${before}`} className="flex flex-wrap gap-x-2 px-3.5 py-2.5">
            <span className="tabular text-ink-3">Row {row}</span>
            <span className="min-w-0 break-words">
              <s className="text-ink-2">
                <bdi translate="no">{before}</bdi>
              </s>{" "}
              <span className="sr-only">becomes</span>{" "}
              <bdi translate="no" className="font-medium">
                {after}
              </bdi>
            </span>
          </li>
        ))}
      </ol>
      {renames.length > RENAMES_SHOWN && (
        <p className="text-ink-3">
          The first {RENAMES_SHOWN} of {counted(renames.length, "person")}.
        </p>
      )}
    </section>
  );
}

const ROLES_SHOWN = 5;

function OtherRoles({ roles }: { roles: readonly string[] }) {
  const one = roles.length === 1;
  const named = roles.slice(0, ROLES_SHOWN).map((role) => `“${role}”`);
  const more = roles.length > ROLES_SHOWN ? [`${numberText(roles.length - ROLES_SHOWN)} more`] : [];
  return (
    <p className="text-sm text-warn">
      <span className="font-semibold">
        Unknown {one ? "role" : "roles"} {listText([...named, ...more])}.
      </span>{" "}
      People with {one ? "this role" : "these roles"} become tenants.
    </p>
  );
}

function nameIn({ firstName, lastName, fullName }: PersonRow): string {
  const split = splitFullName(fullName ?? "");
  const [first, last] = [firstName || split?.firstName, lastName || split?.lastName];
  return [first, last].filter(Boolean).join(" ") || (fullName ?? "");
}

const personColumns: Column<PersonRow>[] = [
  { id: "name", header: "Name", card: "title", cell: nameIn },
  { id: "email", header: "Email", className: "wrap-anywhere", cell: ({ email }) => email },
  { id: "phone", header: "Phone", className: "rows:whitespace-nowrap", cell: ({ phone }) => phone },
  {
    id: "home",
    header: "Property/Unit",
    cell: ({ property, propertyUnit }) => [property, propertyUnit].filter(Boolean).join(" / "),
  },
];
