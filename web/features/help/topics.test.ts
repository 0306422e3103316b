import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fieldsOf } from "#contract/message-fields.ts";
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

const topicsIn = (section: string) =>
  (staffSections.find(({ title }) => title === section)?.topics ?? []).map(({ title }) => title);
const everything = staffSections
  .flatMap(({ topics }) => topics.flatMap(({ title, summary, text }) => [title, summary, ...text]))
  .join(" ");

test("every specified topic is there", () => {
  // spec 362
  expect(topicsIn("Getting Started")).toEqual(
    expect.arrayContaining([
      "Dashboard",
      "Creating notifications",
      "Templates",
      "Schedules",
      "Users",
      "Integrations",
    ]),
  );
  // spec 363
  expect(topicsIn("Common Use Cases")).toEqual(
    expect.arrayContaining([
      "Monthly rent reminder",
      "Emergency maintenance alert",
      "Onboarding residents",
      "CSV import",
      "Community event notification",
    ]),
  );
  // spec 365
  expect(topicsIn("Best Practices")).toEqual(expect.arrayContaining(["Timing", "Content", "Channel"]));
  // spec 366
  expect(topicsIn("Troubleshooting")).toEqual(
    expect.arrayContaining([
      "A message wasn't delivered",
      "A schedule didn't run",
      "A service is paused",
      "Support",
    ]),
  );
});

test.each([
  // spec 368
  ["emergencies", /Emergency Notification template\. Its messages have high priority/],
  // spec 370
  [
    "what a schedule has",
    /name, a recurrence \(daily, weekly, monthly or one-time; monthly has a day of the month\), a time and an end time, a template, recipients and a switch/,
  ],
  // spec 371
  ["what a person has", /name, email, phone, property and unit, groups, and the channels/],
  // spec 372
  [
    "importing",
    /First Name, Last Name, Email, Phone and Unit Number\. You map the columns, preview every row and choose default groups/,
  ],
  // spec 373
  [
    "integrations",
    /accounts for email, SMS and push\. Enter the provider's credentials and the default sender, test the connection/,
  ],
  ["property-management software", /property-management software by CSV/],
  // spec 374
  ["whom to ask", /An administrator of your organization can change settings/],
  // spec 375
  [
    "when to send",
    /maintenance notices at least 48 hours ahead, and rent reminders 5-7 days before the due date/,
  ],
  // spec 514
  ["the monthly example", /monthly, day 25, 9:00 AM/],
])("the help tells about %s", (_, sentence) => {
  expect(everything).toMatch(sentence);
});

test("what looks like a field is one", () => {
  const fields = staffSections.flatMap(({ topics }) =>
    topics.flatMap(({ text }) => text.flatMap((one) => fieldsOf(one))),
  );
  // spec 369
  const specified = ["tenant_name", "due_date", "amount", "property_name", "event_name", "event_date"];
  expect(fields).toEqual(
    expect.arrayContaining([...specified, "event_time", "location", "event_description"]),
  );
});

test("a tenant's help leads only where a tenant may go", () => {
  const links = tenantSections.flatMap(({ topics }) => topics.flatMap(({ links: all = [] }) => all));
  expect(new Set(links.map(({ link }) => link.to))).toEqual(new Set(["/", "/profile"]));
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
