import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { EmulatedAnswer, EmulatedApi } from "./emulator.ts";

/** Emulates what we use of OneSignal's REST API, as strictly as its specification (Create message, View messages). */

export const EMULATED_APP = "b2f7c1de-4a07-4c52-9d5e-0c1f55d7a301";
export const EMULATED_KEY = "os_v2_app_emulated0123456789abcdefghijklmnopqrstuvwxyz";
export const EMULATED_SAFARI_ID = "web.onesignal.auto.0a1b2c3d";

const localized = z.strictObject({ en: z.string().min(1) });
const notification = z.strictObject({
  app_id: z.literal(EMULATED_APP, "app_id not found"),
  target_channel: z.literal("push"),
  include_aliases: z.strictObject({ external_id: z.array(z.string().min(1).max(128)).min(1).max(20_000) }),
  headings: localized,
  contents: localized,
  url: z.url(),
  ttl: z.int().min(0).max(2_419_200),
  idempotency_key: z.uuidv4(),
  priority: z.literal(10).optional(),
});
const MAX_CONTENT_BYTES = 2048;

/** `mayViewApp`: the key has access to the app's own data. */
export function onesignalEmulator({ mayViewApp = false } = {}): EmulatedApi {
  const done = new Map<string, EmulatedAnswer>();
  return {
    settings: { appId: EMULATED_APP, apiKey: EMULATED_KEY },
    answer({ method, path, query, headers, body }, { received, faults }): EmulatedAnswer {
      const known: Record<string, string[]> = {
        "/notifications": ["GET", "POST"],
        [`/apps/${EMULATED_APP}`]: ["GET"],
      };
      if (!known[path]) return refusal(404, "Not found");
      if (!known[path].includes(method)) return refusal(405, "Method not allowed");
      if (faults.refuseKey || headers.authorization !== `Key ${EMULATED_KEY}`) {
        return refusal(
          403,
          "Access denied. Please include an 'Authorization: ...' header with a valid API key",
        );
      }
      if (path.startsWith("/apps/")) {
        if (!mayViewApp) return refusal(403, "This key may not view apps");
        const app = { id: EMULATED_APP, name: "Maple & Harbor", safari_push_id: EMULATED_SAFARI_ID };
        return { status: 200, body: app };
      }
      if (method === "GET") {
        if (query.get("app_id") !== EMULATED_APP) return refusal(400, "app_id not found");
        return { status: 200, body: { total_count: 0, offset: 0, limit: 1, notifications: [] } };
      }
      if (headers["content-type"] !== "application/json") return refusal(400, "Content-Type must be JSON");
      const parsed = notification.safeParse(JSON.parse(body));
      if (!parsed.success) return refusal(400, ...parsed.error.issues.map(issueText));
      const { include_aliases: aliases, headings, contents, idempotency_key: key } = parsed.data;
      if (Buffer.byteLength(contents.en) > MAX_CONTENT_BYTES) return refusal(400, "Message is too long");
      const before = done.get(key);
      if (before) return { ...before, headers: { "idempotent-replayed": "true" } };
      const unknown = aliases.external_id.filter((id) => faults.refused.has(id));
      const reached = aliases.external_id.filter((id) => !faults.refused.has(id));
      for (const to of reached) received.push({ to, text: `${headings.en}\n${contents.en}` });
      const answer: EmulatedAnswer = {
        status: 200,
        body: {
          id: reached.length > 0 ? randomUUID() : "",
          external_id: null,
          ...(unknown.length > 0 && { errors: { invalid_aliases: { external_id: unknown } } }),
        },
      };
      done.set(key, answer);
      return answer;
    },
    refusal: (status) => errorsOf(status === 429 ? "API rate limit exceeded." : "Internal server error"),
  };
}

const errorsOf = (...errors: string[]) => ({ errors });
const refusal = (status: number, ...errors: string[]): EmulatedAnswer => ({
  status,
  body: errorsOf(...errors),
});
const issueText = ({ path, message }: z.core.$ZodIssue) => `${path.join(".")}: ${message}`;
