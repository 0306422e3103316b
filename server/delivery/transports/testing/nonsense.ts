import fc from "fast-check";

/** Names that every object has, and values that no provider documents. */
const PROTOTYPE = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1e300, "", "\0", "\ud800", [], {}, [null], [[]], { length: 1 }),
  fc.constantFrom<unknown>(...PROTOTYPE),
  fc.constantFrom<unknown>(JSON.parse('{"__proto__":{"x":1},"constructor":null}')),
  fc.constant("x".repeat(5000)),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A value like this one, in which any part may be replaced by something else or missing. */
export function nonsenseLike(value: unknown): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: whole(value), weight: 5 }, { arbitrary: odd, weight: 1 });
}

function whole(value: unknown): fc.Arbitrary<unknown> {
  if (Array.isArray(value)) return fc.tuple(...value.map(nonsenseLike));
  if (typeof value !== "object" || value === null) return fc.constant(value);
  const entries = Object.entries(value).map(([name, part]) =>
    fc.tuple(
      fc.oneof({ arbitrary: fc.constant(name), weight: 9 }, fc.constantFrom(...PROTOTYPE)),
      nonsenseLike(part),
    ),
  );
  return fc
    .tuple(...entries)
    .chain((pairs) => fc.subarray(pairs, { minLength: Math.max(0, pairs.length - 1) }))
    .map(
      // Not Object.fromEntries of a literal: "__proto__" stays a name.
      (pairs) => Object.fromEntries(pairs),
    );
}
