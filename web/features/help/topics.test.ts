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
