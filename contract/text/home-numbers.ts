/**
 * How the organization's country writes amounts and numbers in messages. Set once for the process or the page, as dates
 * are (`home-dates.ts`).
 */
export type NumberForm = {
  /** How many digits an amount has after the point. */
  digits: number;
  /** What stands around an amount: "$" and "", "" and " €". */
  before: string;
  after: string;
  /** Between groups of digits, and before the decimals. */
  group: string;
  point: string;
  /** After the thousands, digits come in twos: 12,34,567. */
  lakhs: boolean;
};

const american: NumberForm = { digits: 2, before: "$", after: "", group: ",", point: ".", lakhs: false };
let home = american;

/** Sets how amounts and numbers are written from now on, American without a form. */
export function setHomeNumbers(form = american): void {
  home = form;
}

export const homeNumbers = (): NumberForm => home;
