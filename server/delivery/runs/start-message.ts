import { fullName } from "#contract/text/full-name.ts";
import type { Db } from "#server/db/database.ts";
import { emptyMessage, type Message, messageRow } from "#server/messages/message.ts";
import type { MessageKind } from "../content/reason.ts";
import { type StartDependencies, startRunAtOnce } from "./start-run.ts";

type SystemMessage = Pick<Message, "title" | "content" | "fieldValues" | "channels"> &
  Partial<Pick<Message, "subject" | "formatted">> & {
    kind: Exclude<MessageKind, "message">;
    mayUnsubscribe?: boolean;
  };

/**
 * Sends a message of our own to one person, at their address of this moment, in the caller's transaction. `by` is the
 * person who caused it. Returns the notification's id.
 */
export async function startMessageTo(
  tx: Db,
  person: { id: number; name: string },
  { kind, mayUnsubscribe, ...message }: SystemMessage,
  by: { id: number; firstName: string; lastName: string },
  dependencies: StartDependencies,
): Promise<number> {
  const audience = [{ type: "user" as const, id: person.id, name: person.name }];
  const { id } = await tx
    .insertInto("notifications")
    .values({
      ...messageRow({ ...emptyMessage, ...message, audience, class: "transactional" }),
      kind,
      status: "Draft",
      created_by: by.id,
      created_by_name: fullName(by),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  // No one chose or reads its text before it goes out.
  await startRunAtOnce(tx, id, dependencies, {
    startedBy: by.id,
    context: { moment: "unseen" },
    ...(mayUnsubscribe && { mayUnsubscribe }),
  });
  return id;
}
