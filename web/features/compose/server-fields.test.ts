import { expect, test } from "vitest";
import { formErrors } from "#web/features/compose/server-fields.ts";

test.each([
  ["title", "title"],
  ["message", "templateId"],
  ["content", "templateId"],
  ["templateId", "templateId"],
  ["recipients.0", "recipients"],
  ["channels", "channels"],
  ["scheduled_time", "scheduledDate"],
  ["recurringDay", "recurringDay"],
  ["fieldValues.due_date", "fieldValues.due_date"],
  ["fieldValues", "templateId"],
  ["attachments.1.id", "attachments"],
])("the server's %s is the form's %s", (name, path) => {
  expect(formErrors({ [name]: "No." })).toEqual([{ path, message: "No." }]);
});

test("what has no input here is left to the toast", () => {
  expect(formErrors({ clientKey: "Client key must be text" })).toEqual([]);
});
