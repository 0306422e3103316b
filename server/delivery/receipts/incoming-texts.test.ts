import { expect, test } from "vitest";
import { wordIn } from "./incoming-texts.ts";

test.each([
  ["STOP", "stop"],
  [" Stop. ", "stop"],
  ["StopAll", "stop"],
  ["stop all", "stop"],
  ["unsubscribe", "stop"],
  ["Cancel", "stop"],
  ["END!", "stop"],
  ["quit", "stop"],
  ["Opt-out", "stop"],
  ["Start", "start"],
  ["YES", "start"],
  ["unstop", "start"],
  ["HELP", "help"],
  ["info.", "help"],
  ["Help me", null],
  ["Please stop texting me", null],
  ["yes, at nine", null],
  ["Don't stop", null],
  ["", null],
])("the whole text decides: %j is %j", (text, word) => {
  expect(wordIn(text)).toBe(word);
});
