import { describe, expect, test } from "vitest";
import { filledForm } from "#web/domain/message/testing.ts";
import { emptyForm } from "#web/domain/message/values.ts";
import { isBlank, restoredForm } from "#web/features/compose/compose-form.ts";

describe("restoredForm", () => {
  test("gives back whatever was typed, also what is still wrong", () => {
    const typed = filledForm({ title: "x".repeat(10_000), scheduledDate: "", scheduledTime: "" });
    expect(restoredForm(JSON.parse(JSON.stringify(typed)))).toEqual(typed);
  });

  test("a field of another version starts afresh, the others stay", () => {
    const stored = { ...filledForm(), schedule: "someday", recipients: ["All Tenants"], unknown: 1 };
    expect(restoredForm(stored)).toEqual(filledForm({ recipients: [] }));
  });

  test.each([undefined, null, "text", 7, []])("%j is an empty form", (stored) => {
    expect(restoredForm(stored)).toEqual(emptyForm);
  });
});

// spec 163
test("a form has the specified fields", () => {
  const specified = ["title", "messageType", "templateId", "customMessage", "recipientType", "recipients"];
  const plan = ["schedule", "scheduledDate", "scheduledTime", "recurrence", "recurringDay", "recurringTime"];
  expect(Object.keys(emptyForm)).toEqual(
    expect.arrayContaining([...specified, "channels", ...plan, "attachments"]),
  );
});

test("a form is blank until something in it would be missed", () => {
  expect(isBlank(emptyForm)).toBe(true);
  expect(isBlank({ ...emptyForm, title: "  ", schedule: "later" })).toBe(true);
  expect(isBlank({ ...emptyForm, customMessage: "Hello" })).toBe(false);
  expect(isBlank({ ...emptyForm, recipients: filledForm().recipients })).toBe(false);
});
