import { csvColumns } from "#contract/text/csv-header.ts";
import { foreignExample, phoneExample } from "#web/domain/phone-number.ts";

const example = () => [
  `maria.lopez,maria@example.com,Maria,Lopez,${phoneExample()},tenant,Maple Court 4B`,
  `d.okafor,daniel@example.com,Daniel,Okafor,${foreignExample()},staff,`,
];

/** What the file has to look like. Long lines scroll, because a wrapped row is hard to read. */
export function ColumnsNote() {
  return (
    <div className="rounded-md bg-sunk px-3.5 py-3 text-sm text-ink-2">
      <p>
        We find the row with the column names. <span className="font-medium text-ink">firstName</span> and{" "}
        <span className="font-medium text-ink">lastName</span> are required. People are matched by username,
        email or phone. Blank cells change nothing. Exports from property management software work, too.
      </p>
      <pre
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label="Example"
        className="mt-2.5 overflow-x-auto rounded-sm font-mono text-[0.8125rem] leading-5 text-ink"
      >
        <code translate="no">
          <span className="font-semibold">{csvColumns.join(",")}</span>
          {"\n"}
          {example().join("\n")}
        </code>
      </pre>
    </div>
  );
}
