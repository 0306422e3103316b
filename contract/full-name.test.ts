import { expect, test } from "vitest";
import { splitFullName } from "#contract/full-name.ts";

test.each([
  ["Maria Lopez", "Maria", "Lopez"],
  ["Lopez, Maria", "Maria", "Lopez"],
  ["  Mary  Ann   Smith ", "Mary Ann", "Smith"],
  ["Smith, Mary Ann", "Mary Ann", "Smith"],
  ["Ludwig van Beethoven", "Ludwig", "van Beethoven"],
  ["Juan de la Cruz", "Juan", "de la Cruz"],
  ["van der Berg, Anna", "Anna", "van der Berg"],
  ["Mr. John Smith Jr.", "John", "Smith Jr."],
  ["John Smith, Jr.", "John", "Smith Jr."],
  ["Smith, John, III", "John", "Smith III"],
  ["Smith Jr., John", "John", "Smith Jr."],
  ["Dr. Li Wei", "Li", "Wei"],
  ["Al Smith", "Al", "Smith"],
  ["Ana O'Neil-Silva", "Ana", "O'Neil-Silva"],
])("%j is %s and %s", (text, firstName, lastName) => {
  expect(splitFullName(text)).toEqual({ firstName, lastName });
});

test.each([
  "",
  "Cher",
  "VACANT",
  "Smith,",
  "John & Mary Smith",
  "Smith, John and Mary",
  "John Smith; Mary Smith",
  "John/Mary Smith",
  "A, B, C",
])("%j is left to a person", (text) => {
  expect(splitFullName(text)).toBeNull();
});
