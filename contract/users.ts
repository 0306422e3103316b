import * as z from "zod";
import { roles } from "#contract/auth.ts";
import { endpoint } from "#contract/endpoint.ts";
import { line, page } from "#contract/fields.ts";

/** A person as lists and pickers show them. */
export const user = z.object({
  id: z.number(),
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string().nullable(),
  /** E.164. */
  phone: z.string().nullable(),
  role: z.enum(roles),
  propertyUnit: z.string().nullable(),
  receiveEmail: z.boolean(),
  receiveSms: z.boolean(),
  receivePush: z.boolean(),
});
export type User = z.output<typeof user>;

export const users = {
  list: endpoint({
    method: "GET",
    path: "/api/users",
    access: "staff",
    summary: "People by last name; q searches name, user name, e-mail, phone and unit",
    query: z.object({ q: line("Search", 200).optional(), ...page }),
    answer: "list",
    reply: z.array(user),
  }),
};
