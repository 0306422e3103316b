import { useMutation, useQueryClient, type UseMutationResult } from "@tanstack/react-query";
import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import { call, type Arguments, type Input } from "#web/api/client.ts";
import { refresh } from "#web/api/use-read.ts";

type WriteOptions = {
  /** Reads that this call makes stale. */
  refreshes?: Endpoint[];
};

/** Calls an endpoint that changes something: `const { mutateAsync, isPending } = useWrite(api.notifications.send)`. */
export function useWrite<E extends Endpoint>(
  endpoint: E,
  { refreshes = [] }: WriteOptions = {},
): UseMutationResult<ReplyOf<E>, Error, Input<E>> {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (input: Input<E>) => call(endpoint, ...([input] as unknown as Arguments<E>)),
    onSuccess: () => refresh(client, ...refreshes),
  });
}
