import type { Endpoint } from "#contract/endpoint.ts";

/**
 * Throws if a reply differs from its contract or contains more: no one decided to publish a field that no contract
 * names.
 */
export function checkReply({ method, path, reply }: Endpoint, value: unknown): void {
  const result = reply.safeParse(value);
  const wrong = result.success ? surplus(value, result.data) : [result.error.message];
  if (wrong.length > 0) {
    throw new Error(`${method} ${path} sent a reply that breaks its contract: ${wrong.join(", ")}`);
  }
}

/** The paths that parsing removed; undefined values are never sent. */
function surplus(value: unknown, parsed: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null || typeof parsed !== "object" || parsed === null) return [];
  const kept = parsed as Record<string, unknown>;
  return Object.entries(value).flatMap(([key, part]) => {
    if (part === undefined) return [];
    return key in kept ? surplus(part, kept[key], `${path}${key}.`) : [`${path}${key}`];
  });
}
