import * as z from "zod";
import { roles } from "#contract/auth.ts";
import { endpoint } from "#contract/endpoint.ts";
import { email, line, minLine, page, requiredLine } from "#contract/fields.ts";

/** What each field of a person accepts, wherever it is typed or imported. */
export const personFields = {
  username: minLine("Username", 3, 64, "Username must be at least 3 characters"),
  email: email("Invalid email address"),
  firstName: requiredLine("First name", 100, "First name is required"),
  lastName: requiredLine("Last name", 100, "Last name is required"),
  role: z.enum(roles, { error: "Role is required" }),
  propertyUnit: line("Property/Unit", 200),
};

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
