/** Invented people as rows of a file, the same every time. */

const first =
  "Ana Ben Carla Dmitri Elif Femi Grace Hugo Ines Jonas Kofi Lena Maria Noor Omar Paula Quinn Rosa Sven Tariq Uma Victor Wen Xenia Yara Zoe".split(
    " ",
  );
const last =
  "Abbott Becker Castillo Diaz Eriksen Fischer Gupta Hansen Ito Jones Kim Lopez Meyer Nguyen Okafor Petrov Quist Rossi Smith Tanaka Ueda Vargas Weber Xu Young Zhang".split(
    " ",
  );
const properties = ["Court", "House", "Gardens", "Row", "Terrace"].flatMap((kind) =>
  ["Maple", "Harbor", "Cedar", "Elm", "Birch", "Willow", "Oak", "Pine"].map((name) => `${name} ${kind}`),
);

type Row = Record<string, string>;

/** People `from` to `from + count`. Some have no email or phone, and one in fifty is staff. */
export function peopleRows(from: number, count: number): Row[] {
  return Array.from({ length: count }, (_, index) => rowOf(from + index));
}

function rowOf(n: number): Row {
  const [firstName, lastName] = [pick(first, n * 7), `${pick(last, n * 11)}${pick(["", "-Hill", "s"], n)}`];
  return {
    username: `person.${n}`,
    email: n % 33 === 0 ? "" : `person.${n}@example.com`,
    firstName,
    lastName,
    phone: n % 10 === 0 ? "" : `(415) 55${n % 10}-${String(n % 10_000).padStart(4, "0")}`,
    role: n % 50 === 0 ? "staff" : "tenant",
    propertyUnit: `${pick(properties, n)}, Unit ${1 + (n % 240)}${pick(["A", "B", "C", ""], n * 3)}`,
  };
}

function pick<T>(list: readonly T[], n: number): T {
  const picked = list[n % list.length];
  if (picked === undefined) throw new Error("nothing to pick from");
  return picked;
}
