import { describe, expect, test } from "vitest";
import type { NotificationDetail } from "#contract/notifications.ts";
import { emptyForm, formFromNotification, isBlank, restoredForm } from "#web/features/compose/form.ts";
import { filledForm, takenRow } from "#web/features/compose/testing.ts";

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

test("a form is blank until something in it would be missed", () => {
  expect(isBlank(emptyForm)).toBe(true);
  expect(isBlank({ ...emptyForm, title: "  ", schedule: "later" })).toBe(true);
  expect(isBlank({ ...emptyForm, customMessage: "Hello" })).toBe(false);
  expect(isBlank({ ...emptyForm, recipients: filledForm().recipients })).toBe(false);
});

describe("formFromNotification", () => {
  const old = (over: Partial<NotificationDetail> = {}): NotificationDetail => ({
    ...takenRow(filledForm()),
    kind: "message",
    createdAt: "2026-11-24T14:00:00Z",
    edited: null,
    sentBy: null,
    messageType: "custom",
    templateId: null,
    fieldValues: {},
    class: "general",
    recurrence: null,
    recurringDay: null,
    recurringTime: null,
    sent_count: 0,
    delivered_count: 0,
    opened_count: null,
    clicked_count: null,
    failed_count: 0,
    ...over,
  });

  test("takes over everything but when it went", () => {
    expect({
      ...emptyForm,
      ...formFromNotification(old({ scheduled_time: "2026-11-25T14:00:00Z" })),
    }).toEqual(filledForm());
  });

  test("one by template stays one by template", () => {
    const form = formFromNotification(
      old({ messageType: "template", templateId: 4, fieldValues: { due_date: "Friday" } }),
    );
    expect(form).toMatchObject({
      messageType: "template",
      templateId: "4",
      customMessage: "",
      fieldValues: { due_date: "Friday" },
    });
  });

  test("a template that is gone leaves its words", () => {
    const form = formFromNotification(old({ messageType: "template", templateId: null }));
    expect(form).toMatchObject({ messageType: "custom", customMessage: filledForm().customMessage });
  });

  test("people open on the people's side", () => {
    const audience = [{ type: "user" as const, id: 7, name: "Ana Ortiz" }];
    expect(formFromNotification(old({ audience })).recipientType).toBe("individuals");
  });
});
