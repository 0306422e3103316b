import { describe, expect, it } from "vitest";
import type { NotificationDetail } from "#contract/calls/notifications.ts";
import { storedNotification as stored } from "#web/domain/message/testing.ts";
import { canChange } from "#web/domain/message/values.ts";
import { bodyOf, editForm, formOf } from "#web/features/notifications/edit/edit-form.ts";

const zone = "America/New_York";

const body = (
  original: NotificationDetail,
  change: Partial<ReturnType<typeof formOf>> = {},
  asked = ["day"],
) =>
  bodyOf(
    { ...formOf(original, zone), ...change },
    { stored: original, asked, zone, templateClass: undefined },
  );

describe("the edit form", () => {
  it("sends back what it was given when nothing is changed", () => {
    expect(body(stored())).toEqual({
      title: "Water shut-off",
      content: "No water on {{day}}.",
      channels: ["email", "sms"],
      class: stored().class,
      recipients: [{ type: "group", id: 3 }],
      status: "Scheduled",
      scheduled_time: "2026-11-25T14:00:00.000Z",
      templateId: null,
      fieldValues: { day: "Thursday" },
      attachments: [{ id: 4 }],
      updatedAt: "2026-11-20T09:00:00.000Z",
    });
  });

  it("replaces and removes the file with a value for each person", () => {
    const values = { id: 4, name: "Rent.xlsx", people: 297, fields: ["amount"] };
    const original = stored({ valuesId: 4, values });
    expect(body(original)).not.toHaveProperty("valuesId");
    expect(body(original, { ownValues: { ...values, id: 5 } }).valuesId).toBe(5);
    expect(body(original, { ownValues: null }).valuesId).toBeNull();
  });

  it("shows and sends a planned time by the organization's clock", () => {
    expect(formOf(stored(), zone)).toMatchObject({ scheduledDate: "2026-11-25", scheduledTime: "09:00" });
    expect(body(stored(), { scheduledTime: "10:30" }).scheduled_time).toBe("2026-11-25T10:30:00");
  });

  it("does not move an untouched time that the clock shows twice", () => {
    // 1:30 AM EST, the second of the two on the night when daylight saving ends.
    const twice = stored({ scheduled_time: "2026-11-01T06:30:00.000Z" });
    expect(formOf(twice, zone).scheduledTime).toBe("01:30");
    expect(body(twice).scheduled_time).toBe("2026-11-01T06:30:00.000Z");
  });

  it("plans nothing for a draft", () => {
    expect(body(stored(), { status: "Draft" }).scheduled_time).toBeNull();
  });

  // spec 298
  it("makes a draft of a cancelled one", () => {
    expect(formOf(stored({ status: "Cancelled" }), zone).status).toBe("Draft");
  });

  it("names the template it keeps, and drops it for own words", () => {
    const byTemplate = stored({ messageType: "template", templateId: 12 });
    expect(body(byTemplate).templateId).toBe(12);
    expect(body(byTemplate, { messageType: "custom" }).templateId).toBeNull();
  });

  it("says which version of a template was chosen, and none of one that it keeps", () => {
    const byTemplate = stored({ messageType: "template", templateId: 12, subject: "Rent" });
    expect(formOf(byTemplate, zone).ownTemplate).toEqual({ subject: "Rent", formatted: false });
    expect(body(byTemplate).templateVersion).toBeUndefined();
    const ownTemplate = { subject: "Rent", formatted: true, version: 3 };
    expect(body(byTemplate, { ownTemplate }).templateVersion).toBe(3);
    expect(body(byTemplate, { ownTemplate, messageType: "custom" })).not.toHaveProperty("templateVersion");
  });

  it("leaves out values of fields that the message no longer has, and blank ones", () => {
    expect(
      body(stored(), { fieldValues: { day: "Friday", gone: "x", hour: " " } }, ["day", "hour"]).fieldValues,
    ).toEqual({
      day: "Friday",
    });
  });
});

describe("its sentences", () => {
  const errors = (change: Partial<ReturnType<typeof formOf>>) => {
    const result = editForm.safeParse({ ...formOf(stored(), zone), ...change });
    return Object.fromEntries(
      (result.error?.issues ?? []).map((issue) => [issue.path.join("."), issue.message]),
    );
  };

  it.each([
    // spec 401
    ["title", { title: " " }, "Title is required"],
    // spec 402
    ["channels", { channels: [] }, "Notification type is required"],
    // spec 403
    ["customMessage", { customMessage: " \n" }, "Content is required"],
    // spec 404
    ["recipients", { recipients: [] }, "Recipients are required"],
    // spec 405
    ["templateId", { messageType: "template" as const }, "Either template or custom message is required"],
    ["scheduledDate", { scheduledDate: "" }, "Choose a date and time"],
  ])("%s", (field, change, sentence) => {
    expect(errors(change)).toEqual({ [field]: sentence });
  });

  it("asks no more of a draft than a title", () => {
    const bare = { customMessage: "", recipients: [], channels: [] };
    expect(errors({ ...bare, status: "Draft" })).toEqual({});
    expect(errors({ ...bare, status: "Draft", title: "" })).toEqual({ title: "Title is required" });
  });

  it("says all of them at once", () => {
    const all = errors({
      title: "",
      channels: [],
      customMessage: "",
      recipients: [],
      messageType: "template",
    });
    expect(Object.keys(all).sort()).toEqual([
      "channels",
      "customMessage",
      "recipients",
      "templateId",
      "title",
    ]);
  });
});

describe("canChange", () => {
  // spec 396
  it("holds for what waits, and for what was cancelled or failed before it went out", () => {
    const may = (status: NotificationDetail["status"], sent_time: string | null = null) =>
      canChange({ status, sent_time });
    const unsent = ["Draft", "Scheduled", "Recurring", "Cancelled", "Failed"] as const;
    expect(unsent.filter((one) => may(one))).toEqual(unsent);
    const sent = "2026-11-20T09:00:00Z";
    expect(
      (["Sending", "Delivered", "Partially Delivered", "Failed"] as const).map((one) => may(one, sent)),
    ).toEqual([false, false, false, false]);
    expect(may("Cancelled", sent)).toBe(false);
  });
});
