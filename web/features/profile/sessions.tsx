import { useRef } from "react";
import { profileCalls } from "#contract/calls/profile.ts";
import type { RowOf } from "#web/api/client.ts";
import { useReadList } from "#web/api/use-read.ts";
import { useWrite } from "#web/api/use-write.ts";
import { DeviceMark } from "#web/features/profile/device-mark.tsx";
import { Badge } from "#web/ui/feedback/badge.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { When } from "#web/ui/time/when.tsx";

type Session = RowOf<typeof profileCalls.sessions>;

/** Every browser in which this person is signed in, and a way to sign out there. */
export function Sessions() {
  return (
    <ReadStates
      read={useReadList(profileCalls.sessions, {}, { fresh: true })}
      failed="Error loading your sessions"
      skeleton={<SessionsSkeleton />}
    >
      {({ rows }) => <SessionList sessions={rows} />}
    </ReadStates>
  );
}

function SessionList({ sessions }: { sessions: readonly Session[] }) {
  const end = useWrite(profileCalls.endSession, { refreshes: [profileCalls.sessions] });
  const list = useRef<HTMLUListElement>(null);

  function signOut(id: string, words: (ended: number) => string) {
    end.mutate(
      { params: { id } },
      {
        onSuccess: ({ ended }) => {
          // The button goes away, and its focus would be lost with it.
          list.current?.focus();
          toast({ title: "Signed out", description: words(ended) });
        },
        onError: ({ message }) =>
          toast({ title: "Couldn't sign out that session", description: message, variant: "destructive" }),
      },
    );
  }

  const others = sessions.filter((session) => !session.current).length;
  const ending = end.isPending ? end.variables.params.id : undefined;
  return (
    <>
      <ul ref={list} tabIndex={-1} className="divide-y divide-line outline-none">
        {sessions.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            busy={ending === session.id}
            onSignOut={() => signOut(session.id, () => `${session.device} is signed out.`)}
          />
        ))}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line px-4 py-3 md:px-5">
        <p className="min-w-56 flex-1 text-sm text-ink-3">
          {others === 0
            ? "You're not signed in anywhere else."
            : "Don't recognize one? Sign it out and change your password."}
        </p>
        {others > 0 && (
          <Button
            busy={ending === "others"}
            onClick={() =>
              signOut("others", (ended) =>
                ended === 1 ? "1 other browser is signed out." : `${ended} other browsers are signed out.`,
              )
            }
          >
            Sign out everywhere else
          </Button>
        )}
      </div>
    </>
  );
}

type RowProps = { session: Session; busy: boolean; onSignOut: () => void };

function SessionRow({ session, busy, onSignOut }: RowProps) {
  const { device, current, lastSeenAt, createdAt, ip } = session;
  return (
    <li className="flex items-center gap-3.5 px-4 py-3.5 md:px-5">
      <DeviceMark device={device} />
      <div className="min-w-0 flex-1 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
          {device}
          {current && <Badge tone="good">This browser</Badge>}
        </p>
        <p className="text-ink-2">
          Last seen <When at={lastSeenAt} as="ago" />
          {ip && <span className="text-ink-3"> · {ip}</span>}
        </p>
        <p className="text-ink-3">
          Signed in <When at={createdAt} as="sentence" />
        </p>
      </div>
      {!current && (
        <Button size="sm" aria-label={`Sign out ${device}`} busy={busy} onClick={onSignOut}>
          Sign out
        </Button>
      )}
    </li>
  );
}

function SessionsSkeleton() {
  return (
    <div aria-hidden className="flex items-center gap-3.5 px-4 py-3.5 md:px-5">
      <Skeleton className="size-9 rounded-md" />
      <div className="flex flex-1 flex-col gap-1.5">
        <Skeleton className="h-4 w-40" />
        <Skeleton className="h-4 w-56" />
      </div>
    </div>
  );
}
