import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fieldsOf } from "#contract/message-fields.ts";
import { matchingTopics, sections, tenantSections } from "#web/features/help/topics.ts";

const titles = (search: string) =>
  matchingTopics(sections, search).flatMap(({ topics }) => topics.map(({ title }) => title));

test("a search finds topics that contain all of its words, in any case", () => {
  expect(titles("RENT 25")).toEqual(["Monthly rent reminder"]);
  expect(titles("  ")).toHaveLength(sections.flatMap(({ topics }) => topics).length);
  expect(titles("rent zebra")).toEqual([]);
});

test("what looks like a field is one", () => {
  const fields = sections.flatMap(({ topics }) =>
    topics.flatMap(({ text }) => text.flatMap((one) => fieldsOf(one))),
  );
  expect(fields).toContain("tenant_name");
  expect(fields).toContain("event_description");
});

test("a tenant's help leads only where a tenant may go", () => {
  const links = tenantSections.flatMap(({ topics }) => topics.flatMap(({ links: all = [] }) => all));
  expect(new Set(links.map(({ link }) => link.to))).toEqual(new Set(["/", "/profile"]));
});

test("each topic has an id of its own, and every screen’s question mark leads to one", () => {
  const ids = [sections, tenantSections].map((all) =>
    all.flatMap(({ topics }) => topics.map(({ id }) => id)),
  );
  for (const own of ids) expect(own).toHaveLength(new Set(own).size);
  const root = join(import.meta.dirname, "../..");
  const asked = globSync("**/*.tsx", { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/\bhelp=(?:"[\w-]+"|\{[^}]+\})/g)].flatMap(
      ([attribute]) => [...attribute.matchAll(/(?:=|\? |: )"([\w-]+)"/g)].map(([, id]) => id),
    ),
  );
  expect(asked.length).toBeGreaterThan(9);
  expect(ids.flat()).toEqual(expect.arrayContaining(asked));
});
