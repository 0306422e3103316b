import { fullName } from "#contract/text/full-name.ts";
import type { Channel } from "#contract/delivery.ts";
import type { Db } from "#server/db/database.ts";
import { type StartDependencies, startRunAtOnce } from "./start-run.ts";

type SystemMessage = {
  kind: "credentials" | "test" | "notice" | "confirmation";
  title: string;
  subject?: string;
  content: string;
  formatted?: boolean;
  values: Record<string, string>;
  channels: readonly Channel[];
};

/**
 * Sends a message of our own to one person, at their address of this moment, in the caller's transaction. `by` is the
 * person who caused it. Returns the notification's id.
 */
export async function startMessageTo(
  tx: Db,
  person: { id: number; name: string },
  { values, channels, ...message }: SystemMessage,
  by: { id: number; firstName: string; lastName: string },
  dependencies: StartDependencies,
): Promise<number> {
  const { id } = await tx
    .insertInto("notifications")
    .values({
      ...message,
      message_type: "custom",
      field_values: JSON.stringify(values),
      channels: [...channels],
      audience: JSON.stringify([{ type: "user", id: person.id, name: person.name }]),
      audience_text: person.name,
      class: "transactional",
      status: "Draft",
      created_by: by.id,
      created_by_name: fullName(by),
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await startRunAtOnce(tx, id, dependencies, by.id);
  return id;
}
