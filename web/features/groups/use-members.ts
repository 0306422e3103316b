import { useState } from "react";
import { groups } from "#contract/calls/groups.ts";
import { useReadList } from "#web/api/use-read.ts";
import { useTypedSearch } from "#web/ui/list/use-typed-search.ts";

type Options = { groupId: number; pageSize: number };

/** One page of a group's members, as they are now, with a search that starts at its first page. */
export function useMembers({ groupId, pageSize }: Options) {
  const [{ q, page }, ask] = useState({ q: "", page: 1 });
  const [text, setText] = useTypedSearch(q, (next) => ask({ q: next, page: 1 }));
  const read = useReadList(
    groups.members,
    { params: { id: groupId }, query: { q, page, pageSize } },
    { fresh: true },
  );
  const pages = {
    noun: ["member", "members"],
    page,
    pageSize,
    onPage: (next: number) => ask({ q, page: next }),
  } as const;
  return { read, q, text, setText, pages };
}
