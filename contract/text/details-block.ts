import type MarkdownIt from "markdown-it";

/** "When: Friday, 9 AM": what it is, and its value. Without a label, the value has the row to itself. */
const LABELED = /^([^:\n]{1,40}):(?:\s+|$)/u;

/** The label at the beginning of a row, or null. */
export const labelOf = (row: string): string | null => LABELED.exec(row)?.[1]?.trim() || null;

/**
 * Lines that begin with a bar are a block of details, one a row: "| When: Friday". As text they stay readable. A row may
 * go on in the next lines, up to a blank one. Tokens: `details`, and in it `detail` with an inline `label` if there is
 * one, and an inline value.
 */
export function readDetails(markdown: MarkdownIt): void {
  markdown.block.ruler.before(
    "paragraph",
    "details",
    (state, start, end, silent) => {
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
      const push = (content: string, map: [number, number], info = "") => {
        const token = state.push("inline", "", 0);
        Object.assign(token, { content, map, children: [], info });
      };
      state.push("details_open", "table", 1);
      for (const { text, from, to } of rows) {
        state.push("detail_open", "tr", 1);
        const [whole, label] = LABELED.exec(text) ?? ["", ""];
        if (label.trim() !== "") push(label.trim(), [from, to], "label");
        push(label.trim() === "" ? text : text.slice(whole.length), [from, to]);
        state.push("detail_close", "tr", -1);
      }
      state.push("details_close", "table", -1);
      state.line = line;
      return true;
    },
    { alt: ["paragraph", "list"] },
  );
}
