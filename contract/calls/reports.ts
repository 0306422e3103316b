import * as z from "zod";
import { endpoint } from "#contract/endpoint.ts";
import { requiredId } from "#contract/fields.ts";

const params = z.object({ id: requiredId("Notification ID is required") });
const limits = { action: "notification.report", most: 60 } as const;

/** The PDF lists this many people, those who were not reached first. The CSV lists everyone. */
export const MOST_PRINTED = 5000;

/** What happened with one notification, as a file. 409 for one that hasn't been sent. */
export const reports = {
  csv: endpoint({
    method: "GET",
    path: "/api/notifications/{id}/report.csv",
    access: "messages:read",
    summary: "One row per recipient and channel: outcome, every attempt, times and reasons",
    params,
    answer: "file",
    export: limits,
    reply: z.instanceof(Uint8Array),
  }),
  pdf: endpoint({
    method: "GET",
    path: "/api/notifications/{id}/report.pdf",
    access: "messages:read",
    summary:
      "The printable report: the exact content and its SHA-256, and person by person every attempt and answer",
    params,
    answer: "file",
    export: limits,
    reply: z.instanceof(Uint8Array),
  }),
};
