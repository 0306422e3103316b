import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import type { QueryClient, UseQueryResult } from "@tanstack/react-query";
import { useCallback } from "react";
import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import { call, callList } from "#web/api/client.ts";
import type { Arguments, Input, Page, RowOf } from "#web/api/client.ts";

type ReadOptions = {
  /** False keeps the question unasked, for instance until a dialog opens. */
  enabled?: boolean;
  /** Asked again whenever it comes on screen, for what no one tells the page of. What was answered shows meanwhile. */
  fresh?: boolean;
};

type ReadArguments<E extends Endpoint> =
  object extends Input<E>
    ? [input?: Input<E>, options?: ReadOptions]
    : [input: Input<E>, options?: ReadOptions];

/** The first element of every key is the endpoint's path, so that refreshing a path reaches all its answers. */
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

/** Marks every kept answer of these endpoints as old and loads those on screen again. */
export function useRefresh() {
  const client = useQueryClient();
  return useCallback((...endpoints: Endpoint[]) => refresh(client, ...endpoints), [client]);
}
