import { Readable } from "node:stream";
import Papa from "papaparse";
import { audit, type AuditEvent } from "#contract/calls/audit.ts";
import { guardFormula } from "#contract/text/csv-cells.ts";
import type { Db } from "#server/db/database.ts";
import { sentenceOf } from "#server/features/audit/event.ts";
import { allEvents, type Clock, type Filter, listAudit } from "#server/features/audit/read-audit.ts";
import { readSetting } from "#server/features/settings/queries.ts";
import { on, type Route } from "#server/http/route.ts";

export function auditRoutes({ db, now }: { db: Db; now: () => Date }): Route[] {
  const clock = async () => ({ zone: await readSetting(db, "timezone"), now: now() });
  return [
    on(audit.list, async ({ query }) => listAudit(db, query, await clock())),
    on(audit.export, async ({ query }) => ({
      name: "audit log.csv",
      type: "text/csv; charset=utf-8",
      bytes: Readable.from(csvLines(db, query, await clock())),
    })),
  ];
}

const header = [
  "Time",
  "Who",
  "User ID",
  "Username",
  "Role",
  "What happened",
  "About",
  "About ID",
  "About username",
  "Changes",
  "Note",
  "Refused",
  "IP address",
  "Browser",
];

const toLine = (cells: string[]) => `${Papa.unparse([cells.map(guardFormula)])}\r\n`;

/** Times are UTC. */
async function* csvLines(db: Db, filter: Filter, clock: Clock): AsyncGenerator<string> {
  yield `\uFEFF${toLine(header)}`;
  for await (const events of allEvents(db, filter, clock)) yield events.map(lineOf).join("");
}

const lineOf = (event: AuditEvent) =>
  toLine([
    event.at,
    event.actor.name,
    String(event.actor.id ?? ""),
    event.actor.username ?? "",
    event.actor.role ?? "",
    sentenceOf(event),
    event.about.type,
    String(event.about.id ?? ""),
    event.about.username ?? "",
    event.changes
      .map(({ label, before, after }) =>
        after === null ? `${label} changed` : `${label}: ${before} → ${after}`,
      )
      .join("\n"),
    event.note,
    event.refused ? "yes" : "no",
    event.ip ?? "",
    event.device ?? "",
  ]);
