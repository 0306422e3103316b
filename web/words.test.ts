import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

/** How sentences on screen end, so that no two forms differ (CONTRIBUTING.md). */

const sources = globSync("{features,domain,pages,shell,ui}/**/*.tsx", { cwd: import.meta.dirname }).map(
  (file) => readFileSync(join(import.meta.dirname, file), "utf8"),
);
const written = (...names: string[]) =>
  sources
    .flatMap((source) => [...source.matchAll(new RegExp(`\\s(?:${names.join("|")})="([^"]+)"`, "g"))])
    .map(([, text = ""]) => text);

// As the specification writes them.
const specified = ["JPG or PNG up to 2MB, recommended 150x150 px", "Notification ID is missing"];

test("a hint and a dialog's description end with a full stop", () => {
  const texts = written("hint", "description");
  expect(texts.length).toBeGreaterThan(50);
  expect(texts.filter((text) => !specified.includes(text) && !text.endsWith("."))).toEqual([]);
});

test("a page's subtitle is no sentence, and ends with none", () => {
  expect(written("subtitle").filter((text) => text.endsWith("."))).toEqual([]);
});
