import { endpoints } from "#contract/api.ts";
import type { ErrorCode } from "#contract/errors.ts";
import type { Report } from "#server/features/audit/facts.ts";

/** Why, of the refusals that are recorded (`server/http/security-events.ts`). */
const reasons: Partial<Record<ErrorCode, string>> = {
  "cross-site": "The request came from another website.",
  forbidden: "Their role doesn't allow it.",
  "registration-closed": "Registration is closed.",
  "setup-code": "The setup code was wrong.",
  "too-many-requests": "Too many attempts in a short time.",
};

/** What a refused call was for. `call` is "PUT /api/users/:id". */
export function refusedCall(call: string, code: string): Report {
  const endpoint = endpoints.find(
    ({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ":$1")}` === call,
  );
  const reason = reasons[code as ErrorCode] ?? "It isn't allowed.";
  return {
    does: endpoint ? attempt(endpoint) : "tried something that isn't allowed",
    note: reason,
    refused: true,
  };
}

/** A summary that names what a call returns begins like this; the others say what it does. */
const NOUN =
  /^(a|an|every|everything|everyone|how|messages|one|people|the|what|where|whether|which|who|whose)\b/i;

/** "tried to change an account" from "Change an account. What is left out stays as it is" */
function attempt({ method, summary }: { method: string; summary: string }): string {
  const [first = ""] = summary.split(/[.;:]/);
  const text = (first.slice(0, 1).toLowerCase() + first.slice(1))
    .replaceAll(/\byourself\b/g, "themselves")
    .replaceAll(/\byour\b/g, "their")
    .replaceAll(/\byou\b/g, "they");
  return method === "GET" || NOUN.test(text) ? `tried to see ${text}` : `tried to ${text}`;
}
