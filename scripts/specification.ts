/**
 * The specification as numbered rows (docs/specification.rows.txt), each with the tests that hold it. A test names the
 * rows it holds in a comment of its own line, `// spec 12, 15-17`: above a test or step it belongs to that one,
 * elsewhere to the test around it.
 */

type Row = {
  number: number;
  section: string;
  text: string;
  /** The sections in docs/departures.md under which it is listed, separated by "; ". */
  departs?: string | undefined;
  /** What is missing. */
  notBuilt?: string | undefined;
};

type Mark = { row: number; file: string; title: string };

type SourceFile = { path: string; text: string };

export class SpecificationError extends Error {}

const note = / \((departs|not built): ([^()]+)\)$/;

export function readRows(text: string): Row[] {
  let section = "";
  return text.split("\n").flatMap((line) => {
    if (line.startsWith("# ")) section = line.slice(2);
    const [, number, whole = ""] = /^(\d+)\. (.+)$/.exec(line) ?? [];
    if (!number) return [];
    const [, kind, value] = note.exec(whole) ?? [];
    const row = { number: Number(number), section, text: whole.replace(note, "") };
    return [
      {
        ...row,
        ...(kind === "departs" && { departs: value }),
        ...(kind === "not built" && { notBuilt: value }),
      },
    ];
  });
}

const opener = /^ *(?:await )?(?:test|it|describe)(?:\.(?:describe|step|each|for|only|skip))*(?:<.*)?\(/;
const quoted = String.raw`\s*(["'\`])((?:\\.|(?!\1)[^\\])*)\1`;
const plainTitle = new RegExp(String.raw`^[^(]*\(${quoted}`);
const tableTitle = new RegExp(String.raw`\)\(${quoted}`);

const indentOf = (line: string): number => line.length - line.trimStart().length;

function titleAt(lines: string[], at: number): string {
  const text = lines.slice(at).join("\n");
  const found = /\.(?:each|for)\b/.test(lines[at] ?? "") ? tableTitle.exec(text) : plainTitle.exec(text);
  return (found?.[2] ?? "").replaceAll(/\\(.)/g, "$1");
}

/** The titles around a line, from the outermost. `limit` is the indentation from which a line is inside. */
function titlesAround(lines: string[], from: number, limit: number): string[] {
  let depth = limit;
  const titles: string[] = [];
  for (let at = from; at >= 0 && depth > 0; at -= 1) {
    const line = lines[at] ?? "";
    // A line that closes something belongs to what stands above it: `}) => {`, `])(`.
    if (/^\s*([)\]}]|$)/.test(line) || indentOf(line) >= depth) continue;
    if (opener.test(line)) titles.unshift(titleAt(lines, at));
    depth = indentOf(line);
  }
  return titles;
}

export function readMarks({ path, text }: SourceFile): Mark[] {
  const lines = text.split("\n");
  return lines.flatMap((line, at) => {
    if (!/^\s*\/\/ spec \d/.test(line)) return [];
    const place = `${path}:${at + 1}`;
    if (!/^\s*\/\/ spec \d+(-\d+)?(, \d+(-\d+)?)*$/.test(line)) {
      throw new SpecificationError(`${place}: a mark reads like "// spec 12, 15-17"`);
    }
    const next = lines.findIndex((one, n) => n > at && !one.trimStart().startsWith("//"));
    const above = opener.test(lines[next] ?? "");
    const titles = titlesAround(lines, above ? next : at, indentOf(line) + (above ? 1 : 0));
    if (titles.length === 0) throw new SpecificationError(`${place}: the mark stands in no test`);
    const numbers = [...line.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, first, last = first]) =>
      Array.from({ length: Number(last) - Number(first) + 1 }, (_, n) => Number(first) + n),
    );
    return numbers.map((row) => ({ row, file: path, title: titles.join(" › ") }));
  });
}

/** What is wrong with the rows and marks: a row that nothing holds, a mark or a departure that does not exist. */
function problems(rows: Row[], marks: Mark[], sections: ReadonlySet<string>): string[] {
  const known = new Set(rows.map(({ number }) => number));
  const held = new Set(marks.map(({ row }) => row));
  return [
    ...rows.flatMap(({ number }, n) => (number === n + 1 ? [] : [`Row ${number} is out of order`])),
    ...marks
      .filter(({ row }) => !known.has(row))
      .map(({ row, file, title }) => `${file}: “${title}” names row ${row}, which doesn't exist`),
    ...rows
      .filter(({ number, departs, notBuilt }) => !held.has(number) && !departs && !notBuilt)
      .map(({ number, text }) => `No test holds row ${number}: ${text}`),
    ...rows
      .filter(({ number, notBuilt }) => notBuilt && held.has(number))
      .map(({ number }) => `Row ${number} is marked as not built, and a test holds it`),
    ...rows.flatMap(({ number, departs = "" }) =>
      departs
        .split("; ")
        .filter((section) => section !== "" && !sections.has(section))
        .map(
          (section) =>
            `Row ${number} departs by “${section}”, a section that docs/departures.md doesn't have`,
        ),
    ),
  ];
}

const cell = (text: string) => text.replaceAll("|", String.raw`\|`).replaceAll("<", "&lt;");

function heldBy({ number, departs, notBuilt }: Row, marks: Mark[]): string {
  const tests = new Set(
    marks
      .filter(({ row }) => row === number)
      .map(({ file, title }) => `[${file.replace(/^.*\//, "")}](../${file}): ${cell(title)}`),
  );
  return [
    ...(notBuilt ? [`**Not built yet:** ${cell(notBuilt)}`] : []),
    ...(departs ? [`[Departs](departures.md), ${departs}`] : []),
    ...[...tests].sort(),
  ].join("<br>");
}

/** The page docs/specification.md. Throws a SpecificationError that lists everything that is wrong. */
export function specificationPage(rowsText: string, departures: string, files: SourceFile[]): string {
  const rows = readRows(rowsText);
  const marks = files.flatMap(readMarks);
  const sections = new Set([...departures.matchAll(/^\| ([^|]+?) \|/gm)].map(([, section = ""]) => section));
  const found = problems(rows, marks, sections);
  if (found.length > 0) throw new SpecificationError(found.join("\n"));

  const held = new Set(marks.map(({ row }) => row));
  const count = (fits: (row: Row) => unknown) => rows.filter(fits).length;
  const tables = [...new Set(rows.map(({ section }) => section))].map((title) => {
    const lines = rows
      .filter(({ section }) => section === title)
      .map((row) => `| ${row.number} | ${cell(row.text)} | ${heldBy(row, marks)} |`);
    return [
      `## ${title}`,
      "",
      "| Row | The specification says | Held by |",
      "| --- | --- | --- |",
      ...lines,
    ].join("\n");
  });
  return `# The specification, row by row

Made by \`npm run generate\` from \`specification.rows.txt\` and the marks in the tests
([decision 0044](decisions/0044-marks-in-tests.md)). Don't edit it.

| Rows | How they stand |
| --- | --- |
| ${rows.length} | In total |
| ${count(({ number, departs }) => held.has(number) && !departs)} | Held as written, by the tests named beside them |
| ${count(({ number, departs }) => held.has(number) && departs)} | Differ on purpose ([departures](departures.md)), with tests of what we do instead |
| ${count(({ number, departs }) => !held.has(number) && departs)} | Differ on purpose and leave nothing to test |
| ${count(({ notBuilt }) => notBuilt)} | Not built yet |

${tables.join("\n\n")}
`;
}
