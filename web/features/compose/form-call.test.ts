import { describe, expect, test } from "vitest";
import { notifications } from "#contract/calls/notifications.ts";
import { callOf, draftBodyOf } from "#web/features/compose/form-call.ts";
import { filledForm, storedNotification } from "#web/domain/message/testing.ts";
import { messageOf } from "#web/domain/message/values.ts";

const context = { clientKey: "key-1", askedFields: [] };
const common = {
  title: "Water shut-off",
  recipients: [
    { type: "group", id: 3 },
    { type: "user", id: 7 },
  ],
  channels: ["email", "sms"],
  clientKey: "key-1",
  fieldValues: {},
  attachments: [],
};

describe("a form becomes a call", () => {
  test("at once", () => {
    expect(callOf(filledForm(), context)).toEqual({
      to: "send",
      body: { ...common, message: "Hello {{first_name}}, no water on Thursday." },
    });
  });

  test("with the file that has a value for each person", () => {
    const ownValues = { id: 4, name: "Rent.xlsx", people: 297, fields: ["amount"] };
    expect(callOf(filledForm({ ownValues }), context).body.valuesId).toBe(4);
    expect(draftBodyOf(filledForm({ ownValues }), context).valuesId).toBe(4);
  });

  test("a copy of a custom message keeps its class, as far as no one decides otherwise", () => {
    const copy = (stored: "general" | "transactional" | "emergency", over = {}) => {
      const message = messageOf(storedNotification({ class: stored }));
      return callOf(filledForm({ ...message, ...over }), context).body.class;
    };
    expect(copy("transactional")).toBe("transactional");
    expect(copy("transactional", { highPriority: true })).toBe("emergency");
    expect(copy("emergency")).toBe("emergency");
    expect(copy("emergency", { highPriority: false })).toBe("general");
    expect(copy("general")).toBe("general");
  });

  // spec 240
  test("later, as the organization's clock shows it, without an offset", () => {
    const form = filledForm({ schedule: "later", scheduledDate: "2026-11-25", scheduledTime: "09:00" });
    expect(callOf(form, context)).toEqual({
      to: "create",
      body: {
        ...common,
        content: form.customMessage,
        status: "Scheduled",
        scheduled_time: "2026-11-25T09:00",
      },
    });
  });

  test.each([
    ["daily", 1, { recurrence: "daily" }],
    ["weekly", 0, { recurrence: "weekly", recurringDay: 0 }],
    ["monthly", 31, { recurrence: "monthly", recurringDay: 31 }],
  ] as const)("recurring %s", (recurrence, recurringDay, rule) => {
    const form = filledForm({ schedule: "recurring", recurrence, recurringDay, recurringTime: "08:30" });
    expect(callOf(form, context)).toEqual({
      to: "create",
      body: { ...common, content: form.customMessage, status: "Recurring", recurringTime: "08:30", ...rule },
    });
  });

  test("by template: its id instead of a text, and only the answers that it asks for", () => {
    const form = filledForm({
      messageType: "template",
      templateId: "4",
      fieldValues: { due_date: " Friday ", amount: "  ", left_over: "from another template" },
    });
    const read = { clientKey: "key-1", askedFields: ["due_date", "amount"], templateVersion: 2 };
    const { body } = callOf(form, read);
    const fieldValues = { due_date: "Friday" };
    expect(body).toEqual({ ...common, templateId: 4, templateVersion: 2, fieldValues });
    const relativeDates = { due_date: { daysAfter: 6 }, left_over: { daysAfter: 1 } };
    const asked = { clientKey: "key-1", askedFields: ["due_date", "amount"] };
    expect(callOf({ ...form, relativeDates }, asked).body.fieldValues).toEqual({ due_date: "Friday" });
    const recurring = callOf({ ...form, relativeDates, schedule: "recurring" }, asked);
    expect(recurring.body.fieldValues).toEqual({ due_date: { daysAfter: 6 } });
  });

  test("a template that was looked at before does not go along with own words", () => {
    const { body } = callOf(filledForm({ templateId: "4" }), context);
    expect(body).not.toHaveProperty("templateId");
  });

  test("files go by their ids", () => {
    const file = {
      id: 5,
      name: "plan.pdf",
      type: "application/pdf",
      url: "/api/attachments/5",
      size: 10,
    } as const;
    expect(callOf(filledForm({ attachments: [file] }), context).body.attachments).toEqual([{ id: 5 }]);
  });

  test("a draft carries its client key and no time", () => {
    const body = draftBodyOf(filledForm({ schedule: "later" }), { ...context, clientKey: "draft-1" });
    expect(body).toMatchObject({ status: "Draft", title: "Water shut-off", clientKey: "draft-1" });
    expect(body).not.toHaveProperty("scheduled_time");
  });

  test("the contract takes every one of them", () => {
    const send = callOf(filledForm(), context);
    expect(notifications.send.body.safeParse(send.body).success).toBe(true);
    for (const schedule of ["later", "recurring"] as const) {
      const create = callOf(filledForm({ schedule, scheduledDate: "2026-11-25" }), context);
      expect(notifications.create.body.safeParse(create.body).error).toBeUndefined();
    }
    expect(notifications.create.body.safeParse(draftBodyOf(filledForm(), context)).error).toBeUndefined();
  });
});
