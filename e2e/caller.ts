import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";

type Input = {
  params?: Record<string, string | number>;
  query?: Record<string, string | number>;
  body?: unknown;
};

/** Calls the API without a browser. Throws an error with the server's reply if a call is refused. */
export type Caller = <E extends Endpoint>(endpoint: E, input?: Input) => Promise<ReplyOf<E>>;

/** @param cookie the session's Cookie header */
export function caller(url: string, cookie: string): Caller {
  return async (endpoint, input = {}) => {
    const response = await request(url, endpoint, input, cookie);
    return (await response.json()) as ReplyOf<typeof endpoint>;
  };
}

export async function request(url: string, endpoint: Endpoint, input: Input, cookie = ""): Promise<Response> {
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(input.params?.[name]));
  const search = new URLSearchParams(
    Object.entries(input.query ?? {}).map(([name, value]) => [name, String(value)] as [string, string]),
  );
  const response = await fetch(`${url}${path}?${search}`, {
    method: endpoint.method,
    headers: { Cookie: cookie, ...(input.body === undefined ? {} : { "Content-Type": "application/json" }) },
    body: input.body === undefined ? null : JSON.stringify(input.body),
  });
  if (!response.ok)
    throw new Error(`${endpoint.method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}
