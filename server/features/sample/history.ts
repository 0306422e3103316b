import { sql } from "kysely";
import { channelSet } from "#server/audience/person.ts";
import type { Db } from "#server/db/database.ts";
import { type AuditLine, auditOfRows, writeAudit } from "#server/features/sample/audit-lines.ts";
import type { SampleRecords } from "#server/features/sample/sample-records.ts";
import { type SampleClock, timeOf } from "#server/features/sample/clock.ts";
import { insertNotification } from "#server/features/sample/insert-notification.ts";
import {
  type SentMessage,
  sentMessages,
  type UnsentMessage,
  unsentMessages,
} from "#server/features/sample/messages.ts";
import { insertSchedules } from "#server/features/sample/play-schedules.ts";
import { playRun } from "#server/features/sample/play-run.ts";

/** Something that happens at a time of the history. Its line in the audit log, if it has one. */
export type Happening = { at: Date; happen: () => Promise<AuditLine | null> };

/** Two months of a property's life, in the order in which it happens, so that each message finds who lived there then. */
export async function playHistory(tx: Db, records: SampleRecords, clock: SampleClock): Promise<void> {
  const schedules = await insertSchedules(tx, records, clock);
  const happenings: Happening[] = [
    ...movings(records),
    ...sentMessages.map((message) => sending(tx, records, clock, message)),
    ...unsentMessages.map((message) => writing(tx, records, clock, message)),
    ...schedules.runs,
    blocking(tx, records, clock),
    optingOut(tx, records, clock),
  ];
  const lines: AuditLine[] = [];
  for (const { happen } of happenings.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const line = await happen();
    if (line) lines.push(line);
  }
  await records.dateHomes();
  await schedules.plan();
  await writeAudit(tx, [...lines, ...(await auditOfRows(tx, records.staff))]);
}

function movings({ newcomers, leavers, staff }: SampleRecords): Happening[] {
  const by = staff[1]!;
  return [
    ...newcomers.map(({ at, moveIn }) => ({
      at,
      happen: async (): Promise<AuditLine> => {
        const { id, person } = await moveIn();
        const detail = { username: person.username, role: "tenant" };
        return { at, by, action: "user.create", type: "user", id, detail };
      },
    })),
    ...leavers.map(({ at, moveOut }) => ({
      at,
      happen: async (): Promise<AuditLine> => {
        const { id, person, day } = await moveOut();
        const detail = { home: `${person.property} ${person.unit}`, day };
        return { at, by, action: "residency.move-out", type: "user", id, detail };
      },
    })),
  ];
}

const MINUTE = 60_000;

function sending(tx: Db, records: SampleRecords, clock: SampleClock, message: SentMessage): Happening {
  const at =
    "minutesAgo" in message
      ? new Date(clock.now.getTime() - message.minutesAgo * MINUTE)
      : timeOf(clock, message.daysAgo, message.at);
  const by = records.staff[message.by]!;
  return {
    at,
    async happen() {
      const writtenAt = new Date(at.getTime() - 12 * MINUTE);
      const id = await insertNotification(tx, records, { ...message, at: writtenAt, status: "Draft" });
      await playRun(tx, id, { ...message, at, startedBy: by.id, now: clock.now });
      return { at, by, action: "notification.send", type: "notification", id };
    },
  };
}

function writing(tx: Db, records: SampleRecords, clock: SampleClock, message: UnsentMessage): Happening {
  const at = timeOf(clock, message.writtenDaysAgo, "17:20");
  const scheduledTime =
    message.inDays === undefined ? null : timeOf(clock, -message.inDays, message.at ?? "09:00");
  return {
    at,
    async happen() {
      const id = await insertNotification(tx, records, { ...message, at, scheduledTime });
      const by = records.staff[message.by]!;
      if (message.status !== "Cancelled") {
        return {
          at,
          by,
          action: "notification.create",
          type: "notification",
          id,
          detail: { status: message.status },
        };
      }
      const cancelledAt = new Date((scheduledTime ?? at).getTime() - 19 * 60 * MINUTE);
      await sql`UPDATE notifications SET updated_at = ${cancelledAt} WHERE id = ${id}`.execute(tx);
      return { at: cancelledAt, by, action: "notification.cancel", type: "notification", id };
    },
  };
}

/** Someone without a phone unsubscribes, so no message reaches that home anymore. */
function optingOut(tx: Db, { tenants }: SampleRecords, clock: SampleClock): Happening {
  const at = timeOf(clock, 1, "19:40");
  return {
    at,
    async happen() {
      await sql`
        WITH person AS (
          UPDATE users SET channels = channels & ~${channelSet(["email"])}::int, updated_at = ${at}
          WHERE id = ${tenants.get(73)!} RETURNING id
        )
        INSERT INTO consents (user_id, channel, allowed, source, at) SELECT id, 'email', false, 'one-click', ${at} FROM person`.execute(
        tx,
      );
      return null;
    },
  };
}

/** A number that someone asked not to text. */
function blocking(tx: Db, { staff, tenants }: SampleRecords, clock: SampleClock): Happening {
  const at = timeOf(clock, 31, "15:10");
  const by = staff[1]!;
  const reason = "Shared with her employer. Call instead.";
  return {
    at,
    async happen() {
      const id = tenants.get(50)!;
      const { rows } = await sql<{ address: string }>`
        INSERT INTO suppressions (channel, address, reason, source, kind, actor_id, created_at)
        SELECT 'sms', phone, ${reason}, 'console', 'manual', ${by.id}, ${at} FROM users WHERE id = ${id}
        RETURNING address`.execute(tx);
      const detail = { channel: "sms", address: rows[0]?.address, reason };
      return { at, by, action: "user.block-address", type: "user", id, detail };
    },
  };
}
