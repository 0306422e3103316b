import { describe, expect, test } from "vitest";
import { notificationForm, type NotificationForm } from "#contract/calls/notifications.ts";
import type { Surroundings } from "#web/domain/message/message-form.tsx";
import { fieldOf, messageRules } from "#web/domain/message/rules.ts";
import { filledForm, template } from "#web/domain/message/testing.ts";
import { emptyForm } from "#web/domain/message/values.ts";

const noon: Surroundings = {
  templates: [template()],
  clock: { read: () => ({ day: "2026-11-24", time: "12:00" }) },
  ownText: false,
};
const rules = messageRules<NotificationForm>(notificationForm, ({ schedule, title }) => ({
  goesOut: title !== "A draft",
  planned: schedule === "later",
  repeats: schedule === "recurring",
}));

/** The sentences by field, as the dialog shows them. */
async function sentences(form: NotificationForm, context = noon) {
  const { errors } = await rules(form, context, { fields: {}, shouldUseNativeValidation: false });
  return Object.fromEntries(
    Object.entries(errors).flatMap(([field, error]) =>
      field === "fieldValues"
        ? Object.entries(error).map(([name, one]) => [
            `fieldValues.${name}`,
            (one as { message: string }).message,
          ])
        : [[field, error.message]],
    ),
  );
}

describe("the rules of the dialog", () => {
  test("a filled form is right, and its title comes back trimmed", async () => {
    const form = filledForm({ title: "  Water shut-off " });
    const { values, errors } = await rules(form, noon, {
      fields: {},
      shouldUseNativeValidation: false,
    });
    expect(errors).toEqual({});
    expect(values).toMatchObject({ title: "Water shut-off" });
  });

  // spec 200-203
  test("an empty form says all four sentences of the specification at once", async () => {
    expect(await sentences(emptyForm)).toEqual({
      title: "Title is required",
      templateId: "Either template or custom message is required",
      recipients: "Recipients are required",
      channels: "At least one channel is required",
    });
  });

  test("every field that the message asks for has to be filled", async () => {
    const form = filledForm({
      messageType: "template",
      templateId: "1",
      fieldValues: { amount: "$900", due_date: " " },
    });
    const missing = { "fieldValues.due_date": "Due date is required" };
    expect(await sentences(form)).toEqual(missing);
    // A date that each run works out is a value only where there are several.
    const relative = { ...form, relativeDates: { due_date: { day: 1, monthsAfter: 1 } } };
    expect(await sentences(relative)).toEqual(missing);
    expect(await sentences({ ...relative, schedule: "recurring" })).toEqual({});
    expect(await sentences({ ...form, title: "A draft" })).toEqual({});
  });

  test.each([
    ["a day before today", "2026-11-23", "18:00", { scheduledDate: "Choose today or a later day" }],
    [
      "a time that is past today",
      "2026-11-24",
      "11:59",
      { scheduledTime: "This time has already passed today" },
    ],
    ["the present minute", "2026-11-24", "12:00", {}],
    ["an early time tomorrow", "2026-11-25", "00:00", {}],
    ["no day", "", "09:00", { scheduledDate: "Choose a date and time" }],
  ])("%s", async (_, scheduledDate, scheduledTime, expected) => {
    expect(await sentences(filledForm({ schedule: "later", scheduledDate, scheduledTime }))).toEqual(
      expected,
    );
  });

  test("the day is not looked at when it goes at once, nor judged by a clock that no one knows", async () => {
    expect(await sentences(filledForm({ scheduledDate: "2020-01-01" }))).toEqual({});
    const form = filledForm({ schedule: "later", scheduledDate: "2020-01-01" });
    expect(await sentences(form, { templates: [], clock: undefined, ownText: false })).toEqual({});
  });
});

test.each([
  ["title", "title"],
  ["message", "customMessage"],
  ["content", "customMessage"],
  ["recipients.0", "recipients"],
  ["type", "channels"],
  ["scheduled_time", "scheduledDate"],
  ["fieldValues.due_date", "fieldValues.due_date"],
  ["fieldValues", "templateId"],
  ["attachments.1.id", "attachments"],
])("the server's %s is the form's %s", (path, field) => expect(fieldOf(path)).toBe(field));
