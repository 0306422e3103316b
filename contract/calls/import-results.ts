import * as z from "zod";
import { roles } from "#contract/calls/auth.ts";
import { statusMeanings } from "#contract/calls/imports.ts";
import { endpoint } from "#contract/endpoint.ts";
import { detailKinds } from "#contract/text/kept-details.ts";
import { calendarDay, id, idParams, instant, wholeNumber } from "#contract/fields.ts";

/** What imports of spreadsheets did, for everyone who may change people, and taking one back. */

/** For how long a result can be looked at, and an import be undone. */
export const RESULT_DAYS = 7;
export const UNDO_HOURS = 24;

/** What an import did to a person: added, moved out, changed, or nothing, because everything was on file already. */
export const didKinds = ["new", "out", "changed", "same"] as const;
export type DidKind = (typeof didKinds)[number];

/** Why what an import did to someone can't be undone. */
export const keptReasons = [
  "deleted",
  "not-allowed",
  "sent",
  "signed-in",
  "planned",
  "moved",
  "changed",
] as const;
export type KeptReason = (typeof keptReasons)[number];

/** What an import changes of a person. */
export const changedFields = [
  "name",
  "email",
  "phone",
  "other-contacts",
  "role",
  "home",
  "days",
  "detail",
] as const;
export type ChangedField = (typeof changedFields)[number];

const leftReason = z.object({ column: z.number().nullable(), reason: z.string() });
export type LeftReason = z.output<typeof leftReason>;

const progress = z.object({
  removed: z.number(),
  restored: z.number(),
  movedBack: z.number(),
  /** People whom it leaves as they are, because something has happened since. */
  kept: z.number(),
  /** Who is to be undone altogether. */
  people: z.number(),
  done: z.boolean(),
});
export type UndoProgress = z.output<typeof progress>;

const result = z.object({
  id: z.number(),
  name: z.string(),
  finishedAt: instant,
  by: z.string(),
  /** Where everyone in the file lives, if the file says so only once. */
  property: z.string(),
  /** Homes of the people in the file. */
  homes: z.number(),
  counts: z.record(z.enum(didKinds), z.number()),
  /** How many people have each of them changed. */
  changed: z.partialRecord(z.enum(changedFields), z.number()),
  left: z.object({
    rows: z.number(),
    /** The first of them. */
    first: z.array(z.object({ line: z.number(), reasons: z.array(leftReason) })),
  }),
  absent: z.partialRecord(z.enum(statusMeanings), z.number()),
  /** Of those who were added and are still on file, who has neither an email address nor a phone number. */
  unreachable: z.number(),
  undo: z.object({
    /** It can begin until then; null: that is over, or there is nothing to undo. */
    until: instant.nullable(),
    progress: progress.nullable(),
  }),
});
export type ImportResults = z.output<typeof result>;

const change = z.object({
  field: z.enum(changedFields),
  /** Of a detail its name, of a day what it is. */
  label: z.string().nullable(),
  /** The same two: how they are written. */
  kind: z.enum(detailKinds).nullable(),
  before: z.string().nullable(),
  after: z.string().nullable(),
});
export type PersonChange = z.output<typeof change>;

const person = z.object({
  id: z.number(),
  name: z.string(),
  propertyUnit: z.string().nullable(),
  role: z.enum(roles),
  changes: z.array(change),
  /** Of someone who moved out: a row calls them a past tenant, or none is about them in a complete file. */
  left: z.enum(["past", "missing"]).nullable(),
  /** Their last day there, if it was given. */
  lastDay: calendarDay.nullable(),
  /** Whether it was undone, or why not; null: it wasn't tried. */
  undone: z.enum(["done", ...keptReasons]).nullable(),
  deleted: z.boolean(),
});
export type ImportedPerson = z.output<typeof person>;

const people = z.object({
  people: z.array(person),
  /** Ask for those after this one; null: these are all. */
  after: z.number().nullable(),
});

export const importResults = {
  list: endpoint({
    method: "GET",
    path: "/api/imports/results",
    access: "people:write",
    summary: "The imports of spreadsheets that ended within a week, the newest first, of everyone",
    answer: "list",
    reply: z.array(result.pick({ id: true, name: true, finishedAt: true, by: true, counts: true })),
  }),
  read: endpoint({
    method: "GET",
    path: "/api/imports/{id}/result",
    access: "people:write",
    summary: "What an import did",
    params: idParams,
    reply: result,
  }),
  people: endpoint({
    method: "GET",
    path: "/api/imports/{id}/people",
    access: "people:write",
    summary: "To whom an import did something, and what it changed. 200 at a time",
    params: idParams,
    query: z.object({
      kind: z.enum(didKinds, "Choose new, out, changed or same"),
      after: wholeNumber(0, Number.MAX_SAFE_INTEGER, "Name the last one of the page before").default(0),
    }),
    reply: people,
  }),
  leaving: endpoint({
    method: "GET",
    path: "/api/imports/{id}/leaving",
    access: "people:write",
    summary:
      "Who lives at a property that a file covers and isn't in it, as its last check found. They stay, unless someone says that the file is complete",
    params: idParams,
    reply: z.object({
      /** The share of a property's people, in percent, above which someone has to say it twice. */
      stop: z.number(),
      properties: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          /** Today there. */
          today: calendarDay,
          /** Who lives there now. */
          people: z.number(),
          leaving: z.number(),
          over: z.boolean(),
          /** At most 200 of those who aren't in the file, by unit. */
          first: z.array(z.object({ id: z.number(), name: z.string(), propertyUnit: z.string().nullable() })),
        }),
      ),
    }),
  }),
  leave: endpoint({
    method: "PUT",
    path: "/api/imports/{id}/leaving",
    access: "people:write",
    summary:
      "Say for which properties a file is complete: who isn't in it moves out when the import is run. Replaces what was said before",
    params: idParams,
    body: z.object({
      /** The last day of living there. */
      lastDay: calendarDay.refine(
        (day) => day >= "2000-01-01" && day < "2100-01-01",
        "Enter a day from 2000 to 2099",
      ),
      properties: z
        .array(
          z.object({
            id,
            /** How many leave, as it was shown. */
            people: wholeNumber(1, 10_000_000, "Say how many people leave"),
            /** It was said twice, because these are many. */
            again: z.boolean().default(false),
          }),
        )
        .max(1000, "Choose at most 1,000 properties"),
    }),
    reply: z.object({ people: z.number() }),
  }),
  leftOut: endpoint({
    method: "GET",
    path: "/api/imports/{id}/left-out.csv",
    access: "people:write",
    summary: "The rows that an import left out, as a file whose first column says what to fix",
    params: idParams,
    answer: "file",
    export: { action: "import.export", most: 60 },
    reply: z.instanceof(Uint8Array),
  }),
  checkUndo: endpoint({
    method: "GET",
    path: "/api/imports/{id}/undo",
    access: "people:write",
    summary: "What undoing an import would do, and who stays as they are, and why",
    params: idParams,
    reply: progress.omit({ done: true }).extend({
      /** The first of those who stay. */
      staying: z.array(z.object({ id: z.number(), name: z.string(), reason: z.enum(keptReasons) })),
    }),
  }),
  undo: endpoint({
    method: "POST",
    path: "/api/imports/{id}/undo",
    access: "people:write",
    summary:
      "Undo an import for the next people, in one transaction. Repeat it until it is done; it goes on where it was. Within a day of its end",
    params: idParams,
    reply: progress,
  }),
};
