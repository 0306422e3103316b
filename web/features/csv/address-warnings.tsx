import { counted } from "#contract/text/count-text.ts";
import type { AddressWarning } from "#contract/calls/csv.ts";
import { nationalPhone } from "#web/domain/phone-number.ts";

const SHOWN = 20;

const titles = {
  "opted-out": {
    title: "Addresses that were opted out of",
    text: "They are imported, and we send nothing there until their recipients ask for it.",
  },
  shared: {
    title: "Shared addresses",
    text: "If one person opts out of a shared address, it gets nothing for the others either.",
  },
  several: {
    title: "Several numbers or addresses in one cell",
    text: "Messages go to one of them. The others are kept as other contacts.",
  },
};

/** What there is to know about addresses in the file. Nothing is left out because of it. */
export function AddressWarnings({ warnings }: { warnings: readonly AddressWarning[] }) {
  return (["opted-out", "shared", "several"] as const).map((kind) => {
    const listed = warnings.filter((warning) => warning.kind === kind);
    if (listed.length === 0) return null;
    const { title, text } = titles[kind];
    return (
      <section key={kind} aria-label={title} className="flex flex-col gap-2 text-sm">
        <p className="text-warn">
          <span className="font-semibold">{title}.</span> {text}
        </p>
        <ol className="divide-y divide-line rounded-md border border-line">
          {listed.slice(0, SHOWN).map(({ row, value, reason }) => (
            <li key={`${row} ${value}`} className="flex flex-wrap gap-x-2 px-3.5 py-2.5">
              <span className="tabular text-ink-3">Row {row}</span>
              <bdi translate="no" className="font-medium wrap-anywhere">
                {nationalPhone(value)}
              </bdi>
              <span className="min-w-0 text-ink-2 break-words">{reason}</span>
            </li>
          ))}
        </ol>
        {listed.length > SHOWN && (
          <p className="text-ink-3">
            The first {SHOWN} of {counted(listed.length, "address", "addresses")}.
          </p>
        )}
      </section>
    );
  });
}
