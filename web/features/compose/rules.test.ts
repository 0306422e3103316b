import { describe, expect, test } from "vitest";
import type { NotificationForm } from "#contract/notifications.ts";
import { emptyForm } from "#web/features/compose/form.ts";
import { composeRules } from "#web/features/compose/rules.ts";
import type { RulesContext } from "#web/features/compose/rules.ts";
import { filledForm, template } from "#web/features/compose/testing.ts";

const noon: RulesContext = {
  templates: [template()],
  clock: { read: () => ({ today: "2026-11-24", time: "12:00" }) },
};

/** The sentences by field, as the dialog shows them. */
async function sentences(form: NotificationForm, context = noon) {
  const { errors } = await composeRules(form, context, { fields: {}, shouldUseNativeValidation: false });
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
    const { values, errors } = await composeRules(form, noon, {
      fields: {},
      shouldUseNativeValidation: false,
    });
    expect(errors).toEqual({});
    expect(values).toMatchObject({ title: "Water shut-off" });
  });

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
      templateId: "rent-reminder",
      fieldValues: { amount: "$900", due_date: " " },
    });
    expect(await sentences(form)).toEqual({ "fieldValues.due_date": "Due date is required" });
  });

  test.each([
    ["a day before today", "2026-11-23", "18:00", { scheduledDate: "Choose today or a later day" }],
    [
      "a time that is past today",
      "2026-11-24",
      "11:59",
      { scheduledTime: "This time is already past today" },
    ],
    ["the present minute", "2026-11-24", "12:00", {}],
    ["an early time tomorrow", "2026-11-25", "00:00", {}],
    ["no day", "", "09:00", { scheduledDate: "Choose the date and time to send at" }],
  ])("%s", async (_, scheduledDate, scheduledTime, expected) => {
    expect(await sentences(filledForm({ schedule: "later", scheduledDate, scheduledTime }))).toEqual(
      expected,
    );
  });

  test("the day is not looked at when it goes at once, nor judged by a clock that nobody knows", async () => {
    expect(await sentences(filledForm({ scheduledDate: "2020-01-01" }))).toEqual({});
    const form = filledForm({ schedule: "later", scheduledDate: "2020-01-01" });
    expect(await sentences(form, { templates: [], clock: undefined })).toEqual({});
  });
});
