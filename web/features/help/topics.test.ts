import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fieldsOf } from "#contract/text/message-fields.ts";
import { linkTo } from "#web/domain/places.ts";
import { staffSections } from "#web/features/help/staff-topics.ts";
import { tenantSections } from "#web/features/help/tenant-topics.ts";
import { matchingTopics } from "#web/features/help/topics.ts";

const titles = (search: string) =>
  matchingTopics(staffSections, search).flatMap(({ topics }) => topics.map(({ title }) => title));

test("a search finds topics that contain all of its words, in any case", () => {
  // "weren’t" has these letters, too, as someone may type it.
  expect(titles("RENT reminder 25")).toEqual(["Monthly rent reminder"]);
  expect(titles("  ")).toHaveLength(staffSections.flatMap(({ topics }) => topics).length);
  expect(titles("rent zebra")).toEqual([]);
});

test("what looks like a field is one", () => {
  const all = staffSections.flatMap(({ topics }) => topics.flatMap(({ text }) => text));
  const fields = all.flatMap((one) => fieldsOf(one));
  // spec 369
  const specified = ["tenant_name", "due_date", "amount", "property_name", "event_name", "event_date"];
  expect(fields).toEqual(
    expect.arrayContaining([...specified, "event_time", "location", "event_description"]),
  );
});

test("a tenant's help leads only where a tenant may go", () => {
  const links = tenantSections.flatMap(({ topics }) => topics.flatMap(({ links: all = [] }) => all));
  const paths = links.map((to) => (typeof to === "string" ? linkTo(to) : to).link.to);
  expect(new Set(paths)).toEqual(new Set(["/", "/profile"]));
});

test("each topic has an id of its own, and every screen's question mark leads to one", () => {
  const ids = [staffSections, tenantSections].map((all) =>
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
