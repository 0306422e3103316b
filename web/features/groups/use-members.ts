import { useQuery, keepPreviousData } from "@tanstack/react-query";
import { useState } from "react";
import { groups } from "#contract/groups.ts";
import { callList } from "#web/api/client.ts";
import { readKey } from "#web/api/use-read.ts";
import { useTypedSearch } from "#web/ui/use-typed-search.ts";

type Options = { groupId: number; pageSize: number };

/** One page of a group's members, as they are now, with a search that starts at its first page. */
export function useMembers({ groupId, pageSize }: Options) {
  const [{ q, page }, ask] = useState({ q: "", page: 1 });
  const [text, setText] = useTypedSearch(q, (next) => ask({ q: next, page: 1 }));
  const input = { params: { id: groupId }, query: { q, page, pageSize } };
  const read = useQuery({
    queryKey: readKey(groups.members, input),
    queryFn: ({ signal }) => callList(groups.members, input, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  return { read, q, text, setText, page, pageSize, setPage: (next: number) => ask({ q, page: next }) };
}
