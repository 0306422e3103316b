/** What a block rule of markdown-it is given, as far as this one needs it. */
type BlockState = {
  src: string;
  level: number;
  line: number;
  bMarks: number[];
  tShift: number[];
  eMarks: number[];
  isEmpty(line: number): boolean;
  push(type: string, tag: string, nesting: -1 | 0 | 1): object;
};

/** "When: Friday, 9 AM": what it is, and its value. Without a label, the value has the row to itself. */
const LABELED = /^([^:*[\n]{1,40}):(?:\s+|$)/u;

/**
 * Lines that begin with a bar are a block of details, one a row: "| When: Friday". As text they stay readable. A row may
 * go on in the next lines, up to a blank one. Tokens: `details`, and in it `detail` with an inline `label` if there is
 * one, and an inline value.
 */
function detailsRule(state: BlockState, start: number, end: number, silent: boolean): boolean {
  const lineAt = (line: number) =>
    state.src.slice((state.bMarks[line] ?? 0) + (state.tShift[line] ?? 0), state.eMarks[line]);
  if (state.level > 0 || !lineAt(start).startsWith("|")) return false;
  if (silent) return true;
  const rows: { text: string; from: number; to: number }[] = [];
  let line = start;
  for (; line < end && !state.isEmpty(line); line++) {
    const text = lineAt(line);
    const last = rows.at(-1);
    if (text.startsWith("|")) rows.push({ text: text.slice(1).trim(), from: line, to: line + 1 });
    else if (last) Object.assign(last, { text: `${last.text}\n${text.trimEnd()}`, to: line + 1 });
  }
  const inline = (content: string, map: [number, number], info = "") =>
    Object.assign(state.push("inline", "", 0), { content, map, children: [], info });
  state.push("details_open", "table", 1);
  const written = rows.filter(({ text }) => text !== "");
  for (const { text, from, to } of written.length > 0 ? written : rows.slice(0, 1)) {
    const [whole = "", label = ""] = LABELED.exec(text) ?? [];
    state.push("detail_open", "tr", 1);
    if (label.trim() !== "") inline(label.trim(), [from, to], "label");
    inline(label.trim() === "" ? text : text.slice(whole.length), [from, to]);
    state.push("detail_close", "tr", -1);
  }
  state.push("details_close", "table", -1);
  state.line = line;
  return true;
}

/** The arguments of markdown-it's `block.ruler.before`. */
export const readDetails: [string, string, typeof detailsRule, { alt: string[] }] = [
  "paragraph",
  "details",
  detailsRule,
  { alt: ["paragraph"] },
];
