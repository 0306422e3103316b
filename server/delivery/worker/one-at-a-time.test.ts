import { expect, test } from "vitest";
import { oneAtATime } from "./one-at-a-time.ts";

test("the next begins once the one before it has ended or failed", async () => {
  const inTurn = oneAtATime();
  const first = Promise.withResolvers<string>();
  const began: string[] = [];
  const begin = (name: string, work: () => Promise<string>) =>
    inTurn(() => {
      began.push(name);
      return work();
    });
  const results = [
    begin("first", () => first.promise),
    begin("second", () => Promise.reject(new Error("broken"))),
    begin("third", () => Promise.resolve("done")),
  ];
  await new Promise(setImmediate);
  expect(began).toEqual(["first"]);
  first.resolve("done");
  expect((await Promise.allSettled(results)).map(({ status }) => status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
  ]);
  expect(began).toEqual(["first", "second", "third"]);
});
