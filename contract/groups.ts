import * as z from "zod";
import { endpoint } from "#contract/endpoint.ts";
import { line } from "#contract/fields.ts";

/** A group; `userCount` is counted now, also for groups whose members follow a rule. */
export const group = z.object({
  id: z.number(),
  name: z.string(),
  description: z.string(),
  userCount: z.number(),
  builtIn: z.boolean(),
});
export type Group = z.output<typeof group>;

export const groups = {
  list: endpoint({
    method: "GET",
    path: "/api/usergroups",
    access: "staff",
    summary: "All groups: the built-in ones first, then by name",
    query: z.object({ q: line("Search", 200).optional() }),
    answer: "list",
    reply: z.array(group),
  }),
};
