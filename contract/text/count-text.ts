/** Numbers with what they count: "1 person", "1,200 people". */

export const count = (number: number) => number.toLocaleString("en-US");
export const counted = (number: number, one: string, many = one === "person" ? "people" : `${one}s`) =>
  `${count(number)} ${number === 1 ? one : many}`;
export const people = (number: number) => counted(number, "person");
export const messages = (number: number) => counted(number, "message");
