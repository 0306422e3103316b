// Excel, LibreOffice and Google Sheets treat a cell as a formula if it begins with one of these. The wide ones count
// in Japanese and Chinese settings, and a control character in front does not stop them.
const FORMULA = /^['\s]*[=+\-@＝＋－＠]|^['\s]*[\t\r\n]/u;
const PHONE = /^\+\d{7,15}$/;

/**
 * The cell to write into a file for `value`: with an apostrophe in front where a spreadsheet would calculate. A phone
 * number stays a phone number. A value that begins with such an apostrophe gets one more, so that `unguardFormula`
 * always restores it.
 */
export function guardFormula(value: string): string {
  return FORMULA.test(value) && !PHONE.test(value) ? `'${value}` : value;
}

/** Undoes `guardFormula` and the ="…" by which other programs keep a spreadsheet from changing digits. */
export function unguardFormula(cell: string): string {
  const [, digits] = /^="([^"]*)"$/.exec(cell) ?? [];
  if (digits !== undefined) return digits;
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}
