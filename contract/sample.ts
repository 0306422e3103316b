import * as z from "zod";
import { endpoint } from "#contract/endpoint.ts";

/** An invented property with two months of history, to look around in. */
export const sample = {
  load: endpoint({
    method: "POST",
    path: "/api/sample",
    access: "admin",
    summary: "Load the sample property into an empty system. Nothing of it leaves for real",
    reply: z.object({ message: z.string() }),
  }),
};
