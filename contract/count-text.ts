/** Numbers with what they count: "1 person", "1,200 people". */

export const count = (number: number) => number.toLocaleString("en-US");
/** "people" for "person", "replies" for "reply", "addresses" for "address". */
export const plural = (one: string) =>
  one === "person" ? "people" : `${one.replace(/([^aeiou])y$/, "$1ie").replace(/s$/, "se")}s`;
export const counted = (number: number, one: string, many = plural(one)) =>
  `${count(number)} ${number === 1 ? one : many}`;
export const people = (number: number) => counted(number, "person");
export const messages = (number: number) => counted(number, "message");
