/** One line of the table that `npm run bench` prints. */
export type Row = {
  /** What is compared with what. */
  what: string;
  /** What was measured, in its own units. */
  figure: string;
  /** The ratio, or the seconds or megabytes if the aim is in those. */
  value: number;
  /** "x" for ratios. */
  unit: "x" | "s" | "MB";
  /** Undefined: shown for comparison. */
  aim?: { atLeast: number } | { atMost: number };
};

export function printTable(rows: readonly Row[]): void {
  const shown = (value: number, unit: Row["unit"]) =>
    `${unit === "MB" ? value.toFixed(0) : value.toFixed(2)}${unit === "x" ? "" : ` ${unit}`}`;
  console.table(
    Object.fromEntries(
      rows.map(({ what, figure, value, unit, aim }) => [
        what,
        {
          figure,
          value: shown(value, unit),
          aim: aim ? aimText(aim, unit) : "",
          met: aim ? met(value, aim) : "",
        },
      ]),
    ),
  );
}

function aimText(aim: NonNullable<Row["aim"]>, unit: Row["unit"]): string {
  const suffix = unit === "x" ? "" : ` ${unit}`;
  return "atLeast" in aim ? `≥ ${aim.atLeast}${suffix}` : `≤ ${aim.atMost}${suffix}`;
}

function met(value: number, aim: NonNullable<Row["aim"]>): string {
  return ("atLeast" in aim ? value >= aim.atLeast : value <= aim.atMost) ? "yes" : "no";
}

export function count(n: number): string {
  return Math.round(n).toLocaleString("en-US");
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}
