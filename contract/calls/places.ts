import * as z from "zod";
import { timeZone } from "#contract/calls/settings.ts";
import { delivery } from "#contract/calls/deliveries.ts";
import { suppressionKinds } from "#contract/calls/suppressions.ts";
import { channels, personOutcomes } from "#contract/delivery.ts";
import { reasons } from "#contract/delivery-reasons.ts";
import { endpoint } from "#contract/endpoint.ts";
import {
  calendarDay,
  id,
  idParams,
  instant,
  line,
  page,
  requiredLine,
  wholeNumber,
} from "#contract/fields.ts";
import { residencyRoles } from "#contract/homes.ts";
import { PENTHOUSE } from "#contract/text/unit-name.ts";

/** Properties, the homes in them, and who lives there. Days are days of living there, in the property's time zone. */

const day = calendarDay.nullable();

/** A day that someone enters: typing a year wrong is far more likely than meaning another. */
const enteredDay = calendarDay.refine(
  (written) => written >= "1900-01-01" && written < "2200-01-01",
  "Enter a day from 1900 to 2199",
);
const dayOrNone = enteredDay.nullable();

const property = z.object({
  id: z.number(),
  name: z.string(),
  address: z.string(),
  /** Null: the organization's. */
  timeZone: z.string().nullable(),
  archived: z.boolean(),
});

const propertyRow = property.extend({
  homes: z.number(),
  /** Homes in which someone lives now. */
  occupied: z.number(),
  /** Who lives there now. */
  people: z.number(),
  /** Of the occupied homes, those in which someone can be reached on some channel. */
  reachable: z.number(),
  /** Who lives in the others. */
  peopleMissed: z.number(),
  /** Moves of this month, and the next of them. */
  movesIn: z.number(),
  movesOut: z.number(),
  nextMove: day,
  /** Today there. */
  today: calendarDay,
});
export type PropertyRow = z.output<typeof propertyRow>;

const home = z.object({
  id: z.number(),
  propertyId: z.number(),
  /** As people's details name it; empty if the property is the home. */
  name: z.string(),
  building: z.string(),
  /** 0: ground floor; below 0: basement; 999: penthouse. Null: not known. */
  floor: z.number().nullable(),
  stack: z.string().nullable(),
  /** Who lives there now. */
  people: z.array(z.object({ id: z.number(), name: z.string() })),
  /** The channels on which any of them can be reached. */
  channels: z.array(z.enum(channels)),
  /** When the next of them moves out, within 30 days; when the next person moves in. */
  movesOut: day,
  movesIn: day,
});
export type Home = z.output<typeof home>;

/** Homes of a property, or all of them, that someone looked for. */
const foundHomes = z.object({
  propertyId: z.number(),
  property: z.string(),
  /** What they have in common, as a recipient has it. */
  where: z.object({
    building: z.string().optional(),
    floors: z.array(z.number()).optional(),
    stacks: z.array(z.string()).optional(),
    units: z.array(z.number()).optional(),
  }),
  /** "Harbor View, Building B, floor 3". */
  name: z.string(),
  homes: z.number(),
  /** Homes in which someone lives now. */
  occupied: z.number(),
  people: z.number(),
});
export type FoundHomes = z.output<typeof foundHomes>;

const residency = z.object({
  id: z.number(),
  personId: z.number(),
  name: z.string(),
  /** The person was deleted; that they lived there stays on file. */
  deleted: z.boolean(),
  role: z.enum(residencyRoles),
  firstDay: day,
  lastDay: day,
  leaseEnds: day,
  /** The channels on which they can be reached. */
  channels: z.array(z.enum(channels)),
});
export type ResidencyRow = z.output<typeof residency>;

const homeDetail = home.extend({
  property,
  today: calendarDay,
  /** Who lives there, lived there and will, the latest first. */
  residents: z.array(residency),
  /** "2025-03": what went to the home up to then may be archived; null: none of it is. */
  archivedThrough: z.string().nullable(),
});
export type HomeDetail = z.output<typeof homeDetail>;

/** A notice to a home: the messages of one run to those who lived there when it was sent. */
const homeNotice = z.object({
  notificationId: z.number(),
  title: z.string(),
  at: instant,
  people: z.array(
    z.object({
      id: z.number(),
      /** As it was then. */
      name: z.string(),
      outcome: z.enum(personOutcomes),
      deliveries: z.array(delivery),
    }),
  ),
});
export type HomeNotice = z.output<typeof homeNotice>;

/** Someone who can't be reached, and the reason for each channel. */
const unreachedPerson = z.object({
  id: z.number(),
  name: z.string(),
  ways: z.array(
    z.object({
      channel: z.enum(channels),
      reason: z.enum(reasons),
      sentence: z.string(),
      /** The blocked address that can be unblocked; null: there is none. */
      blocked: z
        .object({
          address: z.string(),
          kind: z.enum(suppressionKinds),
          optedOut: z.boolean(),
          words: z.string().nullable(),
        })
        .nullable(),
    }),
  ),
});
export type UnreachedPerson = z.output<typeof unreachedPerson>;

/** Which notices of a home: all, or those of one day in the property's time zone. */
const noticesOf = { day: calendarDay.optional() };

const name = requiredLine("Property name", 200, "Property name is required");
const address = line("Address", 300);
const unitName = requiredLine("Home", 100, "Enter the home's name");

/** A new property, and the form of one. */
export const propertyBody = z.object({
  name,
  address: address.default(""),
  timeZone: timeZone.nullable().default(null),
});

/** Homes that one call changes. */
const HOMES_MAX = 1000;

const dates = {
  role: z.enum(residencyRoles).default("leaseholder"),
  firstDay: dayOrNone.default(null),
  lastDay: dayOrNone.default(null),
  leaseEnds: dayOrNone.default(null),
};

/** Which properties are listed. */
const listed = { q: line("Search", 200).optional(), archived: z.stringbool().default(false) };

export const places = {
  list: endpoint({
    method: "GET",
    path: "/api/places/properties",
    access: "people:read",
    summary: "Properties by name, with their homes, the people in them, and how many can be reached",
    query: z.object({ ...listed, ...page }),
    answer: "list",
    reply: z.array(propertyRow),
  }),
  find: endpoint({
    method: "GET",
    path: "/api/places/find",
    access: "people:read",
    summary:
      "Properties, buildings, floors, stacks and homes as people write them, such as “harbor building b, floors 1-3” or “4B”",
    query: z.object({ q: line("Search", 200).optional() }),
    answer: "list",
    reply: z.array(foundHomes),
  }),
  property: endpoint({
    method: "GET",
    path: "/api/places/properties/{id}",
    access: "people:read",
    summary: "One property with its homes",
    params: idParams,
    reply: propertyRow.extend({
      /** Other spellings that mean this property. */
      spellings: z.array(z.string()),
      /** The property that was merged into this one last, and can be taken apart again. */
      merged: z.object({ name: z.string(), homes: z.number() }).nullable(),
      homesListed: z.array(home),
    }),
  }),
  home: endpoint({
    method: "GET",
    path: "/api/places/homes/{id}",
    access: "people:read",
    summary: "One home, with who lives there, lived there and will",
    params: idParams,
    reply: homeDetail,
  }),
  totals: endpoint({
    method: "GET",
    path: "/api/places/totals",
    access: "people:read",
    summary: "The homes and people of all properties in a list, and how many occupied homes can be reached",
    query: z.object(listed),
    reply: propertyRow.pick({ homes: true, occupied: true, people: true, reachable: true }),
  }),
  unreached: endpoint({
    method: "GET",
    path: "/api/places/properties/{id}/unreached",
    access: "people:read",
    summary: "Who lives in the homes of a property that no message reaches, and why on each channel",
    params: idParams,
    reply: z.array(z.object({ homeId: z.number(), people: z.array(unreachedPerson) })),
  }),
  notices: endpoint({
    method: "GET",
    path: "/api/places/homes/{id}/notices",
    access: "people:read",
    summary: "Every notice that went to a home, whoever lived there, newest first, with who got it and how",
    params: idParams,
    query: z.object({ ...noticesOf, ...page }),
    answer: "list",
    reply: z.array(homeNotice),
  }),
  noticesFile: endpoint({
    method: "GET",
    path: "/api/places/homes/{id}/notices.csv",
    access: "people:export",
    summary: "The same as a file: one row for each notice, person and channel",
    params: idParams,
    query: z.object(noticesOf),
    answer: "file",
    export: { action: "home.export", most: 60 },
    reply: z.instanceof(Uint8Array),
  }),
  ofPerson: endpoint({
    method: "GET",
    path: "/api/places/people/{id}/homes",
    access: "people:read",
    summary: "The homes of a person, and whether their last move can be undone",
    params: idParams,
    reply: z.object({
      today: calendarDay,
      homes: z.array(
        residency
          .omit({ personId: true, name: true, deleted: true, channels: true })
          .extend({ homeId: z.number(), home: z.string(), propertyId: z.number(), property: z.string() }),
      ),
      undoable: z.boolean(),
    }),
  }),

  create: endpoint({
    method: "POST",
    path: "/api/places/properties",
    access: "people:write",
    summary: "Add a property",
    body: propertyBody,
    status: 201,
    reply: property,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/places/properties/{id}",
    access: "people:write",
    summary: "Rename a property, change its address or time zone, archive it or bring it back",
    params: idParams,
    body: z.object({
      name: name.optional(),
      address: address.optional(),
      timeZone: timeZone.nullable().optional(),
      archived: z.boolean().optional(),
    }),
    reply: property,
  }),
  merge: endpoint({
    method: "POST",
    path: "/api/places/properties/{id}/merge",
    access: "people:write",
    summary: "Make this property a spelling of another one. Its homes and people are there from then on",
    params: idParams,
    body: z.object({ into: id }),
    reply: z.object({ message: z.string() }),
  }),
  unmerge: endpoint({
    method: "POST",
    path: "/api/places/properties/{id}/unmerge",
    access: "people:write",
    summary: "Take the last merge into this property apart again",
    params: idParams,
    reply: z.object({ message: z.string() }),
  }),
  addHomes: endpoint({
    method: "POST",
    path: "/api/places/properties/{id}/homes",
    access: "people:write",
    summary: "Add homes. Those that are there already stay as they are",
    params: idParams,
    body: z.object({ names: z.array(unitName).min(1, "Enter at least one home").max(HOMES_MAX) }),
    mostValues: HOMES_MAX + 10,
    reply: z.object({ added: z.number() }),
  }),
  correctHomes: endpoint({
    method: "PUT",
    path: "/api/places/homes",
    access: "people:write",
    summary: "Correct building, floor or stack of many homes at once. What is left out stays",
    body: z.object({
      ids: z.array(id).min(1).max(HOMES_MAX),
      building: line("Building", 50).optional(),
      floor: wholeNumber(-9, PENTHOUSE, "Enter a floor as a number").nullable().optional(),
      stack: line("Stack", 20).nullable().optional(),
    }),
    mostValues: HOMES_MAX + 10,
    reply: z.object({ changed: z.number() }),
  }),

  moveIn: endpoint({
    method: "POST",
    path: "/api/places/homes/{id}/residents",
    access: "people:write",
    summary: "Someone moves in, or is something else to the home",
    params: idParams,
    body: z.object({ personId: id, ...dates }),
    reply: homeDetail,
  }),
  changeResidency: endpoint({
    method: "PUT",
    path: "/api/places/residencies/{id}",
    access: "people:write",
    summary: "Change someone's role or days in a home. A last day moves them out",
    params: idParams,
    body: z.object({
      role: z.enum(residencyRoles).optional(),
      firstDay: dayOrNone.optional(),
      lastDay: dayOrNone.optional(),
      leaseEnds: dayOrNone.optional(),
    }),
    reply: homeDetail,
  }),
  move: endpoint({
    method: "POST",
    path: "/api/places/residencies/{id}/move",
    access: "people:write",
    summary: "Someone moves to another home, where the day is their first",
    params: idParams,
    body: z.object({ homeId: id, day: enteredDay }),
    reply: homeDetail,
  }),
  removeResidency: endpoint({
    method: "DELETE",
    path: "/api/places/residencies/{id}",
    access: "people:write",
    summary: "Remove what was entered by mistake: this person never lived in this home",
    params: idParams,
    reply: homeDetail,
  }),
  undoMove: endpoint({
    method: "POST",
    path: "/api/places/people/{id}/undo-move",
    access: "people:write",
    summary: "Undo a person's last move, as long as nothing about their homes has changed since",
    params: idParams,
    reply: z.object({ message: z.string() }),
  }),
};
