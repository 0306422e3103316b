import * as fc from "fast-check";
import { expect, test } from "vitest";
import { dayAfter, lives, standingOn } from "#contract/homes.ts";
import {
  afterText,
  movedIn,
  movedTo,
  type Named,
  type Residency,
  showing,
} from "#server/places/residencies.ts";

/**
 * The plain model: each residency as the set of its days. What is open on one end reaches to the end of the days that are
 * looked at.
 */
type Plain = { id: number; unit: number; days: Set<number> };

const LAST = 40;
const every = Array.from({ length: LAST + 1 }, (_, n) => n);
const date = (n: number) => dayAfter("2026-01-30", n);
const between = (from: number, to: number) => new Set(every.filter((n) => n >= from && n <= to));
const named = (unit: number): Named => ({
  unitId: unit,
  propertyId: 1,
  whole: false,
  said: `House\t${unit}`,
  home: `House ${unit}`,
});

class History {
  today = 5;
  homes: Residency[] = [];
  plain: Plain[] = [];
  #ids = 0;

  #store(homes: readonly Residency[]): void {
    this.homes = homes.map((one) => (one.id === 0 ? { ...one, id: ++this.#ids } : one));
  }

  write(unit: number | null): void {
    const { today, homes } = this;
    const shown = homes.find((one) => one.shown);
    const same = shown && shown.unitId === unit;
    const first = homes.length === 0;
    const was = this.plain.find(({ id }) => id === shown?.id);
    this.#store(afterText(homes, unit === null ? null : named(unit), { today: date(today), how: "moved" }));
    if (same) return;
    if (was) was.days = new Set([...was.days].filter((n) => n < today));
    if (unit === null) return;
    const onFile = this.plain.find(
      (one) => one !== was && one.unit === unit && [...one.days].some((n) => n >= today),
    );
    if (!onFile) this.plain.push({ id: this.#ids, unit, days: between(first ? 0 : today, LAST) });
    else if (!onFile.days.has(today)) onFile.days = between(today, Math.max(...onFile.days));
  }

  enter(unit: number, from: number | null, to: number | null): void {
    const [firstDay, lastDay] = [from === null ? null : date(from), to === null ? null : date(to)];
    this.#store(movedIn(this.homes, named(unit), { role: "occupant", firstDay, lastDay, leaseEnds: null }));
    this.plain.push({ id: this.#ids, unit, days: between(from ?? 0, to ?? LAST) });
    this.homes = showing(this.homes, date(this.today));
  }

  leave(nth: number, unit: number, on: number): void {
    const one = this.homes[nth % Math.max(1, this.homes.length)];
    if (!one) return;
    const was = this.plain.find(({ id }) => id === one.id)!;
    this.#store(movedTo(this.homes, one, named(unit), date(on)));
    was.days = new Set([...was.days].filter((n) => n < on));
    this.plain.push({ id: this.#ids, unit, days: between(on, LAST) });
    this.homes = showing(this.homes, date(this.today));
  }
}

const unit = fc.integer({ min: 1, max: 4 });
const someDay = fc.option(fc.integer({ min: 0, max: LAST }), { nil: null });
const act = fc.oneof(
  fc.option(unit, { nil: null }).map((to) => (history: History) => history.write(to)),
  fc
    .tuple(unit, someDay, someDay)
    .filter(([, from, to]) => from === null || to === null || from <= to)
    .map(
      ([to, from, until]) =>
        (history: History) =>
          history.enter(to, from, until),
    ),
  fc.tuple(fc.nat(5), unit, fc.integer({ min: 1, max: LAST })).map(
    ([nth, to, on]) =>
      (history: History) =>
        history.leave(nth, to, on),
  ),
  fc.nat(3).map((days) => (history: History) => void (history.today = Math.min(LAST, history.today + days))),
);

test("who lived in a home on any day is what a plain list of days says, over any history of moves", () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 15 }), (acts) => {
      const history = new History();
      for (const once of acts) once(history);
      for (const n of every) {
        const living = history.homes.filter((one) => lives(one.role) && standingOn(date(n), one) === "now");
        const plain = history.plain.filter(({ days }) => days.has(n));
        const units = (list: number[]) => [...new Set(list)].toSorted((a, b) => a - b);
        expect([n, units(living.map(({ unitId }) => unitId))]).toEqual([
          n,
          units(plain.map((one) => one.unit)),
        ]);
      }
      expect(history.homes.filter(({ shown }) => shown).length).toBeLessThanOrEqual(1);
      for (const { firstDay, lastDay } of history.homes)
        expect(firstDay === null || lastDay === null || firstDay <= lastDay).toBe(true);
    }),
    { numRuns: 500 },
  );
});
