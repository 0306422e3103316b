import type { BodyOf } from "#contract/endpoint.ts";
import { channelMeaning, channels } from "#contract/delivery.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { isAskedField } from "#contract/text/message-fields.ts";
import type { templates } from "#contract/calls/templates.ts";
import { reach } from "#server/audience/reach.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { simulatedChannels } from "#server/delivery/accounts/accounts.ts";
import { answered, fieldsAt, missingFields } from "#server/messages/fields.ts";
import { startMessageTo } from "#server/delivery/runs/start-message.ts";
import { readOrganization } from "#server/features/settings/organization.ts";
import type { SessionUser } from "#server/http/route.ts";

const TITLE = "Test message";

/**
 * Sends an unsaved template to its author, with their own details; what is not filled in shows as [its name]. Returns a
 * sentence about where it goes. Throws invalid-input (the text), and empty-audience if the author cannot be reached on
 * that channel.
 */
export async function sendTest(
  db: Db,
  { type, subject = "", content, fieldValues }: BodyOf<typeof templates.sendTest>,
  user: SessionUser,
): Promise<string> {
  const channel = channels.find((name) => channelMeaning[name].label === type)!;
  const audience = [{ type: "user" as const, id: user.id }];
  return transaction(db, async (tx) => {
    const { messages, unreachable } = await reach(tx, { audience, channels: [channel] });
    if (messages === 0) {
      const why = unreachable.first[0]?.reasons[0]?.sentence ?? "";
      throw refusal("test-unreachable", { why });
    }
    await startMessageTo(
      tx,
      { id: user.id, name: `${user.firstName} ${user.lastName}` },
      {
        kind: "test",
        title: TITLE,
        subject: type === "Email" ? subject : "",
        content,
        formatted: type === "Email",
        fieldValues: { ...gaps(subject, content, fieldValues), ...answered(fieldValues) },
        channels: [channel],
      },
      user,
      { organization: readOrganization },
    );
    const simulated = (await simulatedChannels(tx)).has(channel);
    return simulated
      ? `No ${channelMeaning[channel].choice} provider is connected, so the test went to the Sandbox.`
      : `A test is on its way to you by ${channelMeaning[channel].spoken}.`;
  });
}

/** Also of details: whoever writes a template has none. */
function gaps(subject: string, content: string, values: Record<string, string>): Record<string, string> {
  const used = new Set([...fieldsAt("subject", subject), ...fieldsAt("content", content)]);
  const asked = [...used].filter((field) => isAskedField(field, new Set()));
  const missing = missingFields(asked, answered(values));
  return Object.fromEntries(missing.map((field) => [field, `[${field.replaceAll("_", " ")}]`]));
}
