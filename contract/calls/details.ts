import * as z from "zod";
import { endpoint } from "#contract/endpoint.ts";
import { idParams, instant, requiredLine } from "#contract/fields.ts";
import { detailKinds } from "#contract/text/kept-details.ts";

/** What an organization keeps of each person beside the written columns. */
export const detail = z.object({
  id: z.number(),
  label: z.string(),
  /** What messages write between braces. It stays when the label changes. */
  field: z.string(),
  kind: z.enum(detailKinds),
});

const detailBody = z.object({
  label: requiredLine("Name", 60, "Name is required"),
  kind: z.enum(detailKinds, { error: `A detail must be ${detailKinds.join(", ")}` }),
});
export const labelBody = detailBody.pick({ label: true });
export const newDetailBody = detailBody;

export const details = {
  list: endpoint({
    method: "GET",
    path: "/api/details",
    access: "people:read",
    summary: "The details that are kept of each person, by name, and how many people have each",
    reply: z.array(detail.extend({ people: z.number(), updatedAt: instant })),
  }),
  create: endpoint({
    method: "POST",
    path: "/api/details",
    access: "people:write",
    summary: "Keep one more detail of each person. Messages write it as its field: {{balance}}",
    body: newDetailBody,
    status: 201,
    reply: detail,
  }),
  update: endpoint({
    method: "PUT",
    path: "/api/details/{id}",
    access: "people:write",
    summary: "Rename a detail. Its field stays, so what is written with it still works",
    params: idParams,
    body: labelBody,
    reply: detail,
  }),
  /** A 409 lists what uses it in its fields: "templates.12": "Rent reminder". */
  remove: endpoint({
    method: "DELETE",
    path: "/api/details/{id}",
    access: "people:write",
    summary:
      "Delete a detail, with everyone's value of it. While a template, a group or something scheduled uses it, 409 lists those",
    params: idParams,
    reply: z.object({ message: z.string() }),
  }),
};
