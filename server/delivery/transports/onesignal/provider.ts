import { hash } from "node:crypto";
import * as z from "zod";
import {
  refusedCheck,
  statusOutcome,
  type ApiAnswer,
  type ApiRequest,
  type Ask,
} from "../http/api-client.ts";
import type { HttpProvider, Verdict, Written } from "../http/transport.ts";
import { noticeUrl, secondsLeft, shownText } from "../push/notice.ts";
import type { PushRecipients } from "../push/recipients.ts";
import type { Check, Failure, Outcome, OutgoingMessage } from "../transport.ts";
import type { OneSignalSettings } from "./adapter.ts";

/**
 * OneSignal's Create message, one person per request. A request may target thousands, but has one key and one answer for
 * all of them: a repeat would have to target exactly the same people, and the answer would not reliably say who has no
 * device.
 */
const REQUESTS = 40;

/** The highest priority that OneSignal allows. */
const URGENT = 10;

type PushMessage = {
  include_aliases: { external_id: [string] };
  headings: { en: string };
  contents: { en: string };
  url: string;
  ttl: number;
  idempotency_key: string;
  priority?: number;
};

export function onesignalProvider(
  { appId, apiKey, safariWebId, userIdAttribute }: OneSignalSettings,
  url: string,
  recipients: PushRecipients | undefined,
): HttpProvider<PushMessage> {
  const headers = { authorization: `Key ${apiKey}` };
  const externalId = async (address: string): Promise<Found> => {
    if (userIdAttribute === "id") return { id: address };
    const value = await recipients?.attributeOf(address, userIdAttribute).catch(() => undefined);
    if (value === undefined) return { refused: NOT_LOOKED_UP };
    return value === null ? { refused: withoutAttribute(userIdAttribute) } : { id: value };
  };
  return {
    url,
    secrets: [apiKey],
    own: { success: 200, failure: problem },
    batch: 1,
    requests: REQUESTS,
    write: (message) => write(message, externalId),
    request: ([message]): ApiRequest => ({
      method: "POST",
      path: "/notifications",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ app_id: appId, target_channel: "push", ...message }),
    }),
    read,
    check: (ask) => check(ask, { appId, headers, safariWebId }),
  };
}

type Found = { id: string } | { refused: Outcome };

const NOT_LOOKED_UP: Outcome = {
  kind: "unavailable",
  code: "lookup_failed",
  detail: "We couldn't look up this person's External ID.",
};

function withoutAttribute(attribute: string): Outcome {
  const detail = `This person has no ${attribute} on file, and OneSignal needs it to find them`;
  return { kind: "refused", of: "recipient", code: "no_external_id", detail, noDevice: true };
}

async function write(
  message: OutgoingMessage,
  externalId: (address: string) => Promise<Found>,
): Promise<Written<PushMessage>> {
  const { title, body } = shownText(message);
  const found = await externalId(message.address);
  if ("refused" in found) return found;
  return {
    include_aliases: { external_id: [found.id] },
    headings: { en: title },
    contents: { en: body },
    url: noticeUrl(message),
    ttl: secondsLeft(message),
    idempotency_key: keyOf(message),
    ...(message.urgent && { priority: URGENT }),
  };
}

/** The same for each attempt at a message, and a new one after a retry by a person. */
function keyOf({ deliveryId, expiresAt, content }: OutgoingMessage): string {
  const digest = hash("sha256", `${content.compiled.key} ${deliveryId} ${expiresAt.getTime()}`, "hex");
  // OneSignal takes nothing but a UUID; this one has the bits of version 4.
  return digest.replace(
    /^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/,
    (_, a: string, b: string, c: string, d: string, e: string) => `${a}-${b}-4${c}-8${d}-${e}`,
  );
}

const created = z.object({ id: z.string().nullish(), errors: z.unknown().optional() });
const problem = z.object({
  errors: z.string().or(z.array(z.unknown())).or(z.record(z.string(), z.unknown())),
});
const unknownAliases = z.object({ invalid_aliases: z.object({ external_id: z.array(z.string()) }) });

/** 200 is no acceptance: without an id there is no message, because no one it names has a device. */
function read(answer: ApiAnswer, [message]: readonly PushMessage[]): Verdict {
  const { status, body } = answer;
  const code = String(status);
  const detail = sayings(answer);
  if (status === 200) {
    const { data } = created.safeParse(body);
    if (!data || (!data.id && data.errors === undefined)) return { kind: "uncertain", code, detail };
    const { id, errors } = data;
    const unknown = unknownAliases.safeParse(errors).data?.invalid_aliases.external_id ?? [];
    if (unknown.includes(message!.include_aliases.external_id[0]) || /not subscribed/i.test(detail)) {
      return { kind: "refused", of: "recipient", code: "not_subscribed", detail: NO_DEVICE, noDevice: true };
    }
    if (id) return { kind: "accepted", messageId: id };
    return { kind: "refused", of: "message", code, detail };
  }
  const general = statusOutcome(answer, detail);
  if (general) return general;
  // The first request with this key is still being processed.
  if (status === 409) return { kind: "uncertain", code, detail };
  if (/\bapp_id\b/i.test(detail)) return { kind: "misconfigured", code, detail };
  return { kind: "refused", of: "message", code, detail };
}

const NO_DEVICE = "This person has no subscribed device in OneSignal";

/** OneSignal's own message. Its errors are a string, strings, objects with a title, or an object of lists. */
function sayings({ status, body }: ApiAnswer): string {
  const { errors } = z.object({ errors: z.unknown() }).safeParse(body).data ?? {};
  const list = Array.isArray(errors) ? errors : errors === undefined || errors === null ? [] : [errors];
  const said = list.map((one) => {
    const { title, code } =
      z.object({ title: z.string(), code: z.string() }).partial().safeParse(one).data ?? {};
    return typeof one === "string" ? one : (title ?? code ?? JSON.stringify(one));
  });
  return said.join(" ") || `OneSignal answered with status ${status}`;
}

type CheckOf = { appId: string; headers: Record<string, string>; safariWebId: string };

/**
 * Lists the app's messages, which requires the app's own key. Also reads the app's name and Safari Web ID, if the key has
 * access: OneSignal documents that for organization keys only.
 */
async function check(ask: Ask, { appId, headers, safariWebId }: CheckOf): Promise<Check | Failure> {
  const path = `/notifications?app_id=${encodeURIComponent(appId)}&limit=1`;
  const messages = await ask({ method: "GET", path, headers });
  if ("kind" in messages) return messages;
  if (messages.status !== 200) return refusedCheck(messages, sayings(messages));
  const answer = await ask({ method: "GET", path: `/apps/${encodeURIComponent(appId)}`, headers });
  const app = "kind" in answer || answer.status !== 200 ? undefined : appShape.safeParse(answer.body).data;
  if (app?.safari_push_id && safariWebId !== "" && app.safari_push_id !== safariWebId) {
    const detail = `The key works, but the app's Safari Web ID is ${app.safari_push_id}.`;
    return { kind: "misconfigured", code: "other_safari_id", detail };
  }
  return { ok: true, detail: `The API key works for ${app?.name ? `the app “${app.name}”` : "this app"}.` };
}

const appShape = z.object({ name: z.string(), safari_push_id: z.string().nullish() });
