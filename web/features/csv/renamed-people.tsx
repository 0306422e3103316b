import type { Rename } from "#contract/csv.ts";
import { number, rowsOf } from "#web/features/csv/fault.ts";

const SHOWN = 20;

/** Who would get another name: where an address or a user name was mistyped, that is somebody else. */
export function RenamedPeople({ renames }: { renames: readonly Rename[] }) {
  if (renames.length === 0) return null;
  return (
    <section aria-label="People who get another name" className="flex flex-col gap-2 text-sm">
      <p className="text-warn">
        <span className="font-semibold">
          {renames.length === 1
            ? "1 person gets another name."
            : `${number(renames.length)} people get another name.`}
        </span>{" "}
        Make sure that it is still the same {renames.length === 1 ? "person" : "people"}.
      </p>
      <Renames renames={renames} />
    </section>
  );
}

/** The old name and the new one, row by row. */
export function Renames({ renames }: { renames: readonly Rename[] }) {
  return (
    <>
      <ol className="divide-y divide-line rounded-md border border-line">
        {renames.slice(0, SHOWN).map(({ row, before, after }) => (
          <li key={row} className="flex flex-wrap gap-x-2 px-3.5 py-2.5">
            <span className="tabular text-ink-3">Row {row}</span>
            <span className="min-w-0 break-words">
              <s className="text-ink-2">
                <bdi>{before}</bdi>
              </s>{" "}
              <span className="sr-only">becomes</span> <bdi className="font-medium">{after}</bdi>
            </span>
          </li>
        ))}
      </ol>
      {renames.length > SHOWN && (
        <p className="text-ink-3">
          The first {SHOWN} of {rowsOf(renames.length)}.
        </p>
      )}
    </>
  );
}
