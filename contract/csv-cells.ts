// Excel, LibreOffice and Google Sheets take a cell for a formula when it begins with one of these; the wide
// ones count in Japanese and Chinese settings, and a control character in front does not stop them.
const FORMULA = /^['\s]*[=+\-@＝＋－＠]|^['\s]*[\t\r\n]/u;

/**
 * What a spreadsheet may be given in place of `value`: a quote in front of whatever it would calculate.
 * A value that begins with such a quote itself gets one more, so that `unguardFormula` always finds back.
 */
export function guardFormula(value: string): string {
  return FORMULA.test(value) ? `'${value}` : value;
}

/** Undoes `guardFormula`; any other text is returned as it is. */
export function unguardFormula(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell;
}
