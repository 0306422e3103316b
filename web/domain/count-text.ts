/** Numbers with what they count: "1 person", "1,200 people". */

export const count = (number: number) => number.toLocaleString("en-US");
export const people = (number: number) => (number === 1 ? "1 person" : `${count(number)} people`);
export const messages = (number: number) => (number === 1 ? "1 message" : `${count(number)} messages`);
