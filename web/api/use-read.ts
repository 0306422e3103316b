import {
  keepPreviousData,
  useQuery,
  useQueryClient,
  type QueryClient,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useCallback } from "react";
import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import { call, callList, type Arguments, type Input, type Page, type RowOf } from "#web/api/client.ts";

type ReadOptions = {
  /** False delays the request, for instance until a dialog opens. */
  enabled?: boolean;
  /** Requested again each time it is shown, for data that has no change events. The last answer shows meanwhile. */
  fresh?: boolean;
  /** While the answer to another input loads, the last one stays (`isPlaceholderData`). */
  keep?: boolean;
};

type ReadArguments<E extends Endpoint> =
  object extends Input<E>
    ? [input?: Input<E>, options?: ReadOptions]
    : [input: Input<E>, options?: ReadOptions];

/** Every key starts with the endpoint's path, so that refreshing a path reaches all its answers. */
export function readKey(endpoint: Endpoint, input?: unknown) {
  return input === undefined ? [endpoint.path] : [endpoint.path, input];
}

/** Reads an endpoint; the answer is kept until something refreshes it. */
export function useRead<E extends Endpoint>(
  endpoint: E,
  ...[input, options]: ReadArguments<E>
): UseQueryResult<ReplyOf<E>> {
  return useQuery({
    queryKey: readKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, ...([input, { signal }] as unknown as Arguments<E>)),
    enabled: options?.enabled ?? true,
    ...(options?.fresh && { staleTime: 0 }),
    ...(options?.keep && { placeholderData: keepPreviousData }),
  });
}

/** Reads a list with its total; while another page loads, the last one stays (`isPlaceholderData`). */
export function useReadList<E extends Endpoint>(
  endpoint: E,
  ...[input, options]: ReadArguments<E>
): UseQueryResult<Page<RowOf<E>>> {
  return useQuery({
    queryKey: readKey(endpoint, input),
    queryFn: ({ signal }) => callList(endpoint, ...([input, { signal }] as unknown as Arguments<E>)),
    enabled: options?.enabled ?? true,
    ...(options?.fresh && { staleTime: 0 }),
    placeholderData: keepPreviousData,
  });
}

export function refresh(client: QueryClient, ...endpoints: Endpoint[]): Promise<unknown> {
  return Promise.all(endpoints.map((endpoint) => client.invalidateQueries({ queryKey: readKey(endpoint) })));
}

/** Marks all cached answers of these endpoints as stale and reloads those on screen. */
export function useRefresh() {
  const client = useQueryClient();
  return useCallback((...endpoints: Endpoint[]) => refresh(client, ...endpoints), [client]);
}
