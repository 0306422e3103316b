import { expect, test } from "vitest";
import { storedNotification } from "#web/domain/message/testing.ts";
import { answersOf, classOf, messageOf } from "#web/domain/message/values.ts";

test("a stored message fills the form again", () => {
  const message = messageOf(storedNotification({ messageType: "template", templateId: 4 }));
  expect(message).toMatchObject({
    title: "Water shut-off",
    messageType: "template",
    templateId: "4",
    recipientType: "groups",
    recipients: [{ type: "group", id: 3, name: "Building C" }],
    fieldValues: { day: "Thursday" },
  });
  const audience = [{ type: "user" as const, id: 7, name: "Ana Ortiz" }];
  expect(messageOf(storedNotification({ audience })).recipientType).toBe("individuals");
});

test("a stored message keeps the file with its values, and is chosen among groups", () => {
  const values = { id: 4, name: "Rent.xlsx", people: 297, fields: ["amount"] };
  const audience = [{ type: "file" as const, id: 4, name: "Rent.xlsx" }];
  expect(messageOf(storedNotification({ valuesId: 4, values, audience }))).toMatchObject({
    ownValues: values,
    recipientType: "groups",
  });
});

test("a template that is gone leaves its text", () => {
  const gone = storedNotification({ messageType: "template", templateId: null });
  expect(messageOf(gone)).toMatchObject({ messageType: "custom", customMessage: gone.content });
});

test("a message is as urgent as its template until someone decides", () => {
  expect(classOf({ highPriority: null }, "emergency")).toBe("emergency");
  expect(classOf({ highPriority: true }, "transactional")).toBe("emergency");
  expect(classOf({ highPriority: false }, "emergency")).toBe("general");
  expect(classOf({ highPriority: false }, "transactional")).toBe("transactional");
});

test("a field may be called what every object has", () => {
  const asked = ["constructor", "day"];
  expect(answersOf({ fieldValues: { day: " Friday " } }, asked)).toEqual({ day: "Friday" });
  expect(answersOf({ fieldValues: { constructor: "Ortiz & Sons" } }, asked)).toEqual({
    constructor: "Ortiz & Sons",
  });
});
