import { numberText } from "#contract/text/locale.ts";

/** Numbers with what they count: "1 person", "1,200 people". */

export const counted = (number: number, one: string, many = one === "person" ? "people" : `${one}s`) =>
  `${numberText(number)} ${number === 1 ? one : many}`;
export const people = (number: number) => counted(number, "person");
export const homes = (number: number) => counted(number, "home");
export const messages = (number: number) => counted(number, "message");
