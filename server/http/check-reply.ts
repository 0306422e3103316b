import type { Endpoint } from "#contract/endpoint.ts";

/**
 * Throws where an answer is not what its contract says, or says more: a field that no contract names is one that
 * no one decided to give away.
 */
export function checkReply({ method, path, reply }: Endpoint, value: unknown): void {
  const result = reply.safeParse(value);
  const wrong = result.success ? surplus(value, result.data) : [result.error.message];
  if (wrong.length > 0) {
    throw new Error(`${method} ${path} sent a reply that breaks its contract: ${wrong.join(", ")}`);
  }
}

/** The paths of what parsing took away; what is undefined never travels. */
function surplus(value: unknown, parsed: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null || typeof parsed !== "object" || parsed === null) return [];
  const kept = parsed as Record<string, unknown>;
  return Object.entries(value).flatMap(([key, part]) => {
    if (part === undefined) return [];
    return key in kept ? surplus(part, kept[key], `${path}${key}.`) : [`${path}${key}`];
  });
}
