import * as z from "zod";
import { line, requiredLine, wholeNumber } from "#contract/fields.ts";
import { HIGHEST_FLOOR, LOWEST_FLOOR, PENTHOUSE } from "#contract/text/unit-name.ts";

/** What homes have in common, as recipients and the rules of groups name it. */

const FLOORS = "Floors must be a list of numbers, or { from, to }";
const floorNumber = wholeNumber(LOWEST_FLOOR, PENTHOUSE, FLOORS);
const everyFloor = [
  ...Array.from({ length: HIGHEST_FLOOR - LOWEST_FLOOR + 1 }, (_, index) => LOWEST_FLOOR + index),
  PENTHOUSE,
];
export const sorted = (numbers: readonly number[]) =>
  [...new Set(numbers)].toSorted((one, other) => one - other);
const floorList = z.array(floorNumber).min(1, FLOORS).max(300, FLOORS).transform(sorted);
const floorRange = z
  .strictObject({ from: floorNumber, to: floorNumber })
  .refine(({ from, to }) => from <= to, FLOORS)
  .transform(({ from, to }) => everyFloor.filter((floor) => floor >= from && floor <= to));

/** As the homes have it. */
export const building = line("Building", 50);
/** Numbers, so 1 isn't 10. */
export const floors = z.union([floorList, floorRange], { error: FLOORS });
export const stacks = z
  .array(requiredLine("Stack", 20, "A stack must have a name"))
  .min(1, "Name at least one stack")
  .max(300);
