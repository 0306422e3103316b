import { expect, test } from "vitest";
import { withNewDates } from "#web/domain/message/new-dates.ts";
import { filledForm, template } from "#web/domain/message/testing.ts";

const moved = (text: string) => text.replaceAll("March 3", "April 7");

function changes(
  over: Parameters<typeof template>[0],
  form: Parameters<typeof filledForm>[0] = {},
  ownText = false,
) {
  const one = template(over);
  const byTemplate = filledForm({ messageType: "template", templateId: "1", ...form });
  return withNewDates(byTemplate, { template: one, templates: [one], ownText }, moved);
}

test("what the sender typed changes, and the template's text stays the template's", () => {
  expect(changes({}, { title: "Rent by March 3", fieldValues: { due_date: "March 3" } })).toEqual({
    title: "Rent by April 7",
    fieldValues: { due_date: "April 7" },
  });
});

test("a date in the text or only in the subject of the emails makes the message custom", () => {
  expect(changes({ contentText: "Due on March 3." })).toMatchObject({
    title: "Water shut-off",
    customMessage: "Due on April 7.",
    messageType: "custom",
  });
  expect(changes({ subject: "Due on March 3", contentText: "Hello." })).toMatchObject({
    title: "Due on April 7",
    customMessage: "Hello.",
    messageType: "custom",
  });
  const ownTemplate = { subject: "By March 3", formatted: false };
  expect(changes({ subject: "" }, { customMessage: "Mine.", ownTemplate }, true)).toMatchObject({
    title: "By April 7",
    customMessage: "Mine.",
    messageType: "custom",
  });
});

test("it stays as urgent as its template, unless someone has decided", () => {
  const text = { contentText: "Due on March 3." };
  expect(changes({ ...text, class: "emergency" })).toMatchObject({ highPriority: true });
  expect(changes({ ...text, class: "emergency" }, { highPriority: false })).toMatchObject({
    highPriority: false,
  });
  expect(changes({ ...text, class: "transactional" })).toMatchObject({
    highPriority: false,
    sourceClass: "transactional",
  });
});
