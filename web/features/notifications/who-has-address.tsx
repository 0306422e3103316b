import { Link } from "@tanstack/react-router";
import { users } from "#contract/calls/users.ts";
import { useReadList } from "#web/api/use-read.ts";
import { addressIn } from "#web/features/notifications/list-query.ts";

/**
 * Notifications are found by title and recipients. Someone who says "I never got your text" gives a number, so for an
 * address this leads to the people who have it.
 */
export function WhoHasAddress({ q }: { q: string }) {
  const { text, kind } = addressIn(q);
  const read = useReadList(users.list, { query: { q: text, pageSize: 1 } }, { enabled: kind !== null });
  const [person] = read.data?.rows ?? [];
  if (kind === null || read.isPlaceholderData || !person) return null;
  const total = read.data?.total ?? 0;
  const link = "font-semibold text-ink underline underline-offset-4";
  return (
    <output className="block border-b border-line bg-sunk px-4 py-2.5 text-sm text-ink-2">
      {total === 1 ? (
        <>
          <span>{`1 person has this ${kind}: `}</span>
          <Link to="/users" search={{ q: text, person: person.id }} className={link}>
            see what they were sent
          </Link>
        </>
      ) : (
        <>
          <span>{`${total} people have this ${kind}: `}</span>
          <Link to="/users" search={{ q: text }} className={link}>
            see who they are
          </Link>
        </>
      )}
    </output>
  );
}
