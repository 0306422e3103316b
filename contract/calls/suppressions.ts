import * as z from "zod";
import { addressKind, channels, typedChannels } from "#contract/delivery.ts";
import { endpoint } from "#contract/endpoint.ts";
import { email, instant, line, page, minKey, requiredLine } from "#contract/fields.ts";

/** Why an address is not used. */
export const suppressionKinds = ["bounce", "complaint", "unsubscribe", "manual"] as const;
export type SuppressionKind = (typeof suppressionKinds)[number];

const suppression = z.object({
  channel: z.enum(channels),
  /** An email address in lower case, a number in E.164; on push a person's id. */
  address: z.string(),
  kind: z.enum(suppressionKinds),
  /** The provider's own words, or what the person wrote who blocked it. */
  reason: z.string(),
  /** Its recipient wants nothing there, whatever else blocks it. */
  optedOut: z.boolean(),
  /** A text that only sounds like STOP, until staff confirm or lift it. */
  words: z.string().nullable(),
  at: instant,
  /** The account through which the failed message was sent. */
  account: z.string().nullable(),
  /** The notification that message was of. */
  notification: z.object({ id: z.number(), title: z.string() }).nullable(),
  /** Who blocked it, if a person did. */
  by: z.string().nullable(),
  /** Whose address it is now: the first few by name, and how many. */
  people: z.array(z.object({ id: z.number(), name: z.string() })),
  peopleTotal: z.number(),
});
export type Suppression = z.output<typeof suppression>;

const channel = z.enum(channels, { error: `A channel must be one of ${channels.join(", ")}` });

/** The form that blocks an address by hand. `address` is checked as an email address or a phone number by channel. */
export const blockForm = z
  .object({
    channel: z.enum(typedChannels, { error: `A channel must be ${typedChannels.join(" or ")}` }),
    address: minKey("Address", 1, 254, "Address is required"),
    reason: requiredLine("Reason", 200, "Reason is required"),
  })
  .superRefine(({ channel: on, address }, context) => {
    if (addressKind(on) !== "email" || email("").safeParse(address).success) return;
    context.addIssue({ code: "custom", path: ["address"], message: "Invalid email address" });
  });

/** Staff who use an address again that its recipient opted out of record who asked for it. */
export const requestMissing = "Record who asked to turn it on again, how and when";
export const request = line("Request", 300);

export const liftForm = z.object({
  channel,
  address: minKey("Address", 1, 254, "Address is required"),
  request: request.optional(),
});

/** Addresses that no message goes to. */
export const suppressions = {
  list: endpoint({
    method: "GET",
    path: "/api/suppressions",
    access: "people:read",
    summary:
      "Blocked addresses, latest first; q searches addresses and the names of the people they belong to",
    query: z.object({
      q: line("Search", 200).optional(),
      channel: channel.optional(),
      kind: z
        .enum(suppressionKinds, { error: `A kind must be one of ${suppressionKinds.join(", ")}` })
        .optional(),
      /** Only those whose text sounds like STOP, and that no one has confirmed or lifted. */
      unconfirmed: z.stringbool().default(false),
      ...page,
    }),
    answer: "list",
    reply: z.array(suppression),
  }),
  block: endpoint({
    method: "POST",
    path: "/api/suppressions",
    access: "people:write",
    summary: "Block an address by hand; logged with who did it",
    body: blockForm,
    status: 201,
    reply: z.object({ address: z.string() }),
  }),
  lift: endpoint({
    method: "POST",
    path: "/api/suppressions/lift",
    access: "people:write",
    summary:
      "Unblock an address. It need not belong to anyone. Logged with who did it. If its recipient opted out, `request` says who asked for it, how and when",
    body: liftForm,
    reply: z.object({ message: z.string() }),
  }),
  confirmOptOut: endpoint({
    method: "POST",
    path: "/api/suppressions/confirm",
    access: "people:write",
    summary: "Confirm that a text that sounds like STOP was meant so. Logged with who did it",
    body: z.object({ channel, address: minKey("Address", 1, 254, "Address is required") }),
    reply: z.object({ message: z.string() }),
  }),
};
