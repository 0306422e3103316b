import * as z from "zod";
import { MEGABYTE } from "#contract/calls/attachments.ts";
import { roles } from "#contract/calls/auth.ts";
import { detailCondition } from "#contract/calls/detail-conditions.ts";
import { building, floors, stacks } from "#contract/calls/home-fields.ts";
import { channels } from "#contract/delivery.ts";
import { endpoint } from "#contract/endpoint.ts";
import { bestFirst, id, idParams, instant, line, minLine, orNone, page } from "#contract/fields.ts";
import { user } from "#contract/calls/users.ts";

/** Members that one call can set. */
const MEMBERS_MAX = 100_000;

/**
 * Who belongs to a rule-based group: everyone who meets all of its conditions, evaluated whenever the group is read or
 * sent to. An empty rule matches everyone.
 */
export const groupRule = z.strictObject(
  {
    roles: z.array(z.enum(roles)).optional(),
    property: line("Property", 200).optional(),
    /** Of the homes people live in now, with or without a property. All of what is given holds for one and the same home. */
    building: building.optional(),
    floors: floors.optional(),
    stacks: stacks.optional(),
    /** A unit with * for any characters: "4*" is every unit that starts with 4, "*04" every unit that ends in 04. */
    unit: line("Unit", 100).optional(),
    /** Who can be reached on this channel. */
    channel: z.enum(channels).optional(),
    /** What is kept of them: all of it has to be true. */
    details: z.array(detailCondition).min(1).max(5, "A rule can have up to 5 details").optional(),
  },
  {
    // If misspelled conditions were ignored, the rule would match everyone.
    error: ({ code }) =>
      code === "unrecognized_keys"
        ? "A rule can have roles, property, building, floors, stacks, unit, channel and details"
        : undefined,
  },
);
export type GroupRule = z.output<typeof groupRule>;

/** A group. `userCount` is the current number of members, also for rule-based groups. */
const group = z.object({
  id: z.number(),
  name: z.string(),
  description: z.string(),
  userCount: z.number(),
  /** Only for hand-picked groups with up to 1,000 members. If an update leaves it out, the members stay. */
  userIds: z.array(z.number()).optional(),
  builtIn: z.boolean(),
  /** Null for a hand-picked group. */
  rule: groupRule.nullable(),
  createdBy: z.string(),
  updatedAt: instant,
});
export type Group = z.output<typeof group>;

export const groupBody = z.object({
  name: minLine("Group name", 2, 100, "Group name must be at least 2 characters"),
  description: orNone(line("Description", 500)).optional(),
  /** Hand-picked members, ignored with a rule. */
  userIds: z.array(id, { error: "Members must be a list of ids" }).max(MEMBERS_MAX).optional(),
  rule: groupRule.nullish(),
  /** Accepted because the specification sends it. The creator is always the person who is signed in. */
  createdBy: z.unknown().optional(),
});

/** Fields that are left out keep their values. A null rule makes the group hand-picked, with the members in `userIds`. */
const updateGroupBody = groupBody.extend({
  /** From when the form was opened, so that it does not overwrite someone else's change or members who joined since. */
  updatedAt: instant.optional(),
});

export const groups = {
  list: endpoint({
    method: "GET",
    path: "/api/usergroups",
    access: "people:read",
    summary:
      "Groups: the ones people created, then Everyone and the roles, then the properties, each by name",
    query: z.object({
      q: line("Search", 200).optional(),
      /** Only hand-picked groups. */
      byHand: z.stringbool().default(false),
      bestFirst,
      ...page,
    }),
    answer: "list",
    reply: z.array(group),
  }),
  detail: endpoint({
    method: "GET",
    path: "/api/usergroups/{id}",
    access: "people:read",
    summary: "One group, and how many come before it in the full list",
    params: idParams,
    reply: group.extend({ before: z.number() }),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/usergroups",
    access: "people:write",
    summary: "Create a hand-picked or rule-based group",
    body: groupBody,
    bodyLimit: 2 * MEGABYTE,
    mostValues: MEMBERS_MAX + 100,
    status: 201,
    reply: group,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/usergroups/{id}",
    access: "people:write",
    summary: "Change a group. Built-in groups can't be changed",
    params: idParams,
    body: updateGroupBody,
    bodyLimit: 2 * MEGABYTE,
    mostValues: MEMBERS_MAX + 100,
    reply: group,
  }),
  /** A 409 lists what is scheduled for the group in its fields: "scheduled.12": "Rent reminder". */
  remove: endpoint({
    method: "DELETE",
    path: "/api/usergroups/{id}",
    access: "people:write",
    summary: "Delete a group. If something scheduled uses it, 409 lists it. detach=true deletes it anyway",
    params: idParams,
    query: z.object({ detach: z.stringbool().default(false) }),
    reply: z.object({ message: z.string() }),
  }),
  members: endpoint({
    method: "GET",
    path: "/api/usergroups/{id}/members",
    access: "people:read",
    summary: "Who is in a group now",
    params: idParams,
    query: z.object({ q: line("Search", 200).optional(), ...page }),
    answer: "list",
    reply: z.array(user),
  }),
  memberIds: endpoint({
    method: "GET",
    path: "/api/usergroups/{id}/member-ids",
    access: "people:read",
    summary: "The ids of a hand-picked group's members, for editing it",
    params: idParams,
    reply: z.object({ userIds: z.array(z.number()) }),
  }),
  tryRule: endpoint({
    method: "POST",
    path: "/api/usergroups/try-rule",
    access: "people:read",
    summary: "Who matches a rule now: how many, and the first few",
    body: groupRule,
    reply: z.object({ userCount: z.number(), first: z.array(user) }),
  }),
};
