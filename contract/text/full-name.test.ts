import { expect, test } from "vitest";
import { isCompany } from "#contract/text/company.ts";
import { splitFullName } from "#contract/text/full-name.ts";

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

test.each([
  ["Harbor Dental Group, Inc.", "Harbor Dental", "Group, Inc."],
  ["Sample Holdings, LLC", "Sample", "Holdings, LLC"],
  ["Elm Bakery, L.L.C.", "Elm", "Bakery, L.L.C."],
  ["Nordlicht Verwaltungs, GmbH", "Nordlicht", "Verwaltungs, GmbH"],
  ["Harbor & Sons Ltd", "Harbor &", "Sons Ltd"],
  ["Dupont Conseil S.A.", "Dupont", "Conseil S.A."],
  ["Novák stavby s.r.o.", "Novák", "stavby s.r.o."],
  ["Acme LLC", "Acme", "LLC"],
  ["Kowalski sp. z o.o.", "Kowalski", "sp. z o.o."],
  ["Moyo Family Trust", "Moyo", "Family Trust"],
  ["The Ann Lee Living Trust", "The Ann Lee", "Living Trust"],
  ["John & Ann Lee Trust", "John & Ann", "Lee Trust"],
  ["ABC Trust", "ABC", "Trust"],
  ["1200 Elm Trust", "1200", "Elm Trust"],
  ["Siemens AG", "Siemens", "AG"],
  ["Example Partners LP", "Example", "Partners LP"],
  ["EXAMPLE PARTNERS LP", "EXAMPLE", "PARTNERS LP"],
  ["SIEMENS AG", "SIEMENS", "AG"],
  ["PHILIPS NV", "PHILIPS", "NV"],
])("%j is a company", (name, firstName, lastName) => {
  expect(splitFullName(name)).toEqual({ firstName, lastName });
  expect(isCompany(name)).toBe(true);
});

test.each([
  "Ann Trust",
  "ann trust",
  "ANN TRUST",
  "Mary-Ann Trust",
  "Mary Ann Trust",
  "MARY ANN TRUST",
  "John Paul M. Trust",
  "Dr. Ann M. Trust",
  "Trust Moyo",
  "Moyo, Trust",
  "O'Neil Trust",
  "MARIA LP",
  "MARIA A. LP",
  "MARÍA KG",
  "Ty Co",
  "TY CO",
  "Maria Sa",
  "Ana Lima",
  "Lee Se",
  "Linc Inconnu",
  "Mary Trustman",
  "Inc.",
  "Jan Spa-Ceglarek",
])("%j is not", (name) => expect(isCompany(name)).toBe(false));
