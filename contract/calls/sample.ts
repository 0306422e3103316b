import * as z from "zod";
import { endpoint } from "#contract/endpoint.ts";

/** What removing the sample property takes away. Null: it isn't loaded. */
const removal = z.object({
  tenants: z.number(),
  staff: z.number(),
  groups: z.number(),
  templates: z.number(),
  schedules: z.number(),
  notifications: z.number(),
  /** Notifications to sample people that stay on record: people here wrote them, or they went to anyone else too. */
  ownNotifications: z.number(),
  /** Templates of the sample that notifications and schedules of one's own use. They stay. */
  usedTemplates: z.number(),
});
export type SampleRemoval = z.output<typeof removal>;

/** An invented property with two months of history, to look around in. */
export const sample = {
  read: endpoint({
    method: "GET",
    path: "/api/sample",
    access: "settings:write",
    summary: "Whether the sample property is loaded, and what removing it takes away",
    reply: z.object({ loaded: removal.nullable() }),
  }),
  load: endpoint({
    method: "POST",
    path: "/api/sample",
    access: "settings:write",
    summary: "Load the sample property into an empty system. Its messages go to the Sandbox only",
    reply: z.object({ message: z.string() }),
  }),
  remove: endpoint({
    method: "DELETE",
    path: "/api/sample",
    access: "settings:write",
    summary: "Remove the sample property. What people made themselves stays",
    reply: z.object({ message: z.string() }),
  }),
};
