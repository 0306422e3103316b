import * as z from "zod";
import { auditKinds } from "#contract/calls/audit-actions.ts";
import { roles } from "#contract/calls/auth.ts";
import { channels } from "#contract/delivery.ts";
import { endpoint } from "#contract/endpoint.ts";
import { id, instant, line, page } from "#contract/fields.ts";
import { pastPeriods } from "#contract/calls/notifications.ts";

/** What a sentence can link to. */
export const auditThings = [
  "user",
  "notification",
  "template",
  "schedule",
  "group",
  "account",
  "setting",
] as const;

/** A piece of a sentence; with `thing`, the name of something that still exists. */
const auditPart = z.object({
  text: z.string(),
  /** Names something, whether it still exists or not. */
  named: z.boolean(),
  thing: z
    .object({
      type: z.enum(auditThings),
      /** Null for the settings, which are one thing. */
      id: z.number().nullable(),
      /** Of an account. */
      channel: z.enum(channels).nullable(),
    })
    .nullable(),
});
export type AuditPart = z.output<typeof auditPart>;

/** What changed, in words. Both null: only that it changed is on record, or the text is too long to show. */
const auditChange = z.object({
  label: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type AuditChange = z.output<typeof auditChange>;

const auditEvent = z.object({
  id: z.number(),
  at: instant,
  /**
   * Who did it: an account, with its name, username and role at that time; or, with a null id, "Someone" or "Porchlight".
   * Username and role are null where they were not recorded yet.
   */
  actor: z.object({
    id: z.number().nullable(),
    name: z.string(),
    username: z.string().nullable(),
    role: z.enum(roles).nullable(),
  }),
  /** What it is about, as in "template" and 12; of a person also the username at that time. */
  about: z.object({ type: z.string(), id: z.number().nullable(), username: z.string().nullable() }),
  /** The rest of the sentence after the name, with its period. */
  parts: z.array(auditPart),
  refused: z.boolean(),
  changes: z.array(auditChange),
  /** One or more sentences, or "". */
  note: z.string(),
  ip: z.string().nullable(),
  /** "Firefox on Windows"; null if that is not known. */
  device: z.string().nullable(),
});
export type AuditEvent = z.output<typeof auditEvent>;

const filters = {
  /** In the names of the thing and of who did it, blocked addresses, and IP addresses. */
  q: line("Search", 200).optional(),
  /** Who did it. */
  person: id.optional(),
  kind: z.enum(auditKinds, { error: `A kind must be one of ${auditKinds.join(", ")}` }).optional(),
  time: z.enum(pastPeriods, { error: `A time must be one of ${pastPeriods.join(", ")}` }).optional(),
};

export const audit = {
  list: endpoint({
    method: "GET",
    path: "/api/audit",
    access: "audit:read",
    summary: "Who did what, when and from where, newest first",
    query: z.object({ ...filters, ...page }),
    answer: "list",
    reply: z.array(auditEvent),
  }),
  export: endpoint({
    method: "GET",
    path: "/api/audit/export.csv",
    access: "audit:read",
    summary: "The audit log as CSV, one row per event, with the same filters",
    query: z.object(filters),
    answer: "file",
    export: { action: "audit.export", most: 20 },
    reply: z.instanceof(Uint8Array),
  }),
};
