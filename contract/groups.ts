import * as z from "zod";
import { MEGABYTE } from "#contract/attachments.ts";
import { roles } from "#contract/auth.ts";
import { channels } from "#contract/delivery.ts";
import { endpoint } from "#contract/endpoint.ts";
import { id, idParams, instant, line, minLine, orNone, page } from "#contract/fields.ts";
import { user } from "#contract/users.ts";

/**
 * Who belongs to a rule group, decided whenever it is read or sent to: everyone who fits all that is said.
 * An empty rule fits everyone.
 */
export const groupRule = z.strictObject(
  {
    roles: z.array(z.enum(roles)).optional(),
    property: line("Property", 200).optional(),
    /** A unit with * for any characters: "4*" is every unit that begins with 4, "*04" the 04 stack. */
    unit: line("Unit", 100).optional(),
    /** Who can be reached on this channel. */
    channel: z.enum(channels).optional(),
  },
  {
    // Left out of the rule, a misspelt condition would fit everyone.
    error: ({ code }) =>
      code === "unrecognized_keys" ? "A rule can have roles, property, unit and channel" : undefined,
  },
);
export type GroupRule = z.output<typeof groupRule>;

/** A group; `userCount` is counted now, also for groups whose members follow a rule. */
const group = z.object({
  id: z.number(),
  name: z.string(),
  description: z.string(),
  userCount: z.number(),
  /** Of a group that is picked by hand, up to 1,000; sent back left out, the members stay. */
  userIds: z.array(z.number()).optional(),
  builtIn: z.boolean(),
  /** Null: the members are picked by hand. */
  rule: groupRule.nullable(),
  createdBy: z.string(),
  updatedAt: instant,
});
export type Group = z.output<typeof group>;

export const groupBody = z.object({
  name: minLine("Group name", 2, 100, "Group name must be at least 2 characters"),
  description: orNone(line("Description", 500)).optional(),
  /** Members picked by hand; ignored beside a rule. */
  userIds: z.array(id, { error: "Members must be a list of ids" }).max(100_000).optional(),
  rule: groupRule.nullish(),
  /** Taken for compatibility; the creator is the signed-in person. */
  createdBy: z.unknown().optional(),
});

/** What is left out stays as it is. Null ends a rule; the members are then those of `userIds`. */
const updateGroupBody = groupBody.extend({
  /** As it was when the form opened: neither someone else's change nor who joined since is written over. */
  updatedAt: instant.optional(),
});

export const groups = {
  list: endpoint({
    method: "GET",
    path: "/api/usergroups",
    access: "staff",
    summary:
      "Groups: the ones people created, then Everyone and the roles, then the properties, each by name",
    query: z.object({
      q: line("Search", 200).optional(),
      /** Only those whose members are picked by hand. */
      byHand: z.stringbool().default(false),
      ...page,
    }),
    answer: "list",
    reply: z.array(group),
  }),
  detail: endpoint({
    method: "GET",
    path: "/api/usergroups/{id}",
    access: "staff",
    summary: "One group, and how many come before it in the full list",
    params: idParams,
    reply: group.extend({ before: z.number() }),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/usergroups",
    access: "staff",
    summary: "Create a group, by hand or by rule",
    body: groupBody,
    bodyLimit: 2 * MEGABYTE,
    status: 201,
    reply: group,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/usergroups/{id}",
    access: "staff",
    summary: "Change a group. Built-in groups can't be changed",
    params: idParams,
    body: updateGroupBody,
    bodyLimit: 2 * MEGABYTE,
    reply: group,
  }),
  /** A refusal names what is scheduled with the group in its fields: "scheduled.12": "Rent reminder". */
  remove: endpoint({
    method: "DELETE",
    path: "/api/usergroups/{id}",
    access: "staff",
    summary: "Delete a group. If something scheduled uses it, 409 lists it; detach=true deletes it anyway",
    params: idParams,
    query: z.object({ detach: z.stringbool().default(false) }),
    reply: z.object({ message: z.string() }),
  }),
  members: endpoint({
    method: "GET",
    path: "/api/usergroups/{id}/members",
    access: "staff",
    summary: "Who is in a group now",
    params: idParams,
    query: z.object({ q: line("Search", 200).optional(), ...page }),
    answer: "list",
    reply: z.array(user),
  }),
  memberIds: endpoint({
    method: "GET",
    path: "/api/usergroups/{id}/member-ids",
    access: "staff",
    summary: "The ids of a hand-picked group's members, for editing it",
    params: idParams,
    reply: z.object({ userIds: z.array(z.number()) }),
  }),
  tryRule: endpoint({
    method: "POST",
    path: "/api/usergroups/try-rule",
    access: "staff",
    summary: "Who matches a rule now: how many, and the first few",
    body: groupRule,
    reply: z.object({ userCount: z.number(), first: z.array(user) }),
  }),
};
