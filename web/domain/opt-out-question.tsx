import { Link } from "@tanstack/react-router";
import { MessageCircleQuestion } from "lucide-react";
import { suppressions, type Suppression } from "#contract/calls/suppressions.ts";
import { users } from "#contract/calls/users.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useReadList } from "#web/api/use-read.ts";
import { useWrite } from "#web/api/use-write.ts";
import { nationalPhone } from "#web/domain/phone-number.ts";
import { Button } from "#web/ui/page/button.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

type Asked = Pick<Suppression, "channel" | "address"> & {
  words: string;
  /** Linked to, where it isn't their own page. */
  people?: Suppression["people"];
};

const refreshes = [suppressions.list, users.detail, users.list];

/** A text that sounds like STOP, as an item of a list: it counts until staff say that it wasn't meant so. */
export function OptOutQuestion({
  suppression: { channel, address, words, people = [] },
}: {
  suppression: Asked;
}) {
  const confirm = useWrite(suppressions.confirmOptOut, { refreshes });
  const lift = useWrite(suppressions.lift, { refreshes });
  const busy = confirm.isPending || lift.isPending;
  const number = nationalPhone(address);
  const decide = async (write: typeof confirm | typeof lift, title: string) => {
    try {
      await write.mutateAsync({ body: { channel, address } });
      toast({ title });
    } catch (error) {
      toast({ variant: "destructive", title: "Error", description: reasonOf(error) });
    }
  };
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 text-sm">
      <MessageCircleQuestion aria-hidden className="size-5 shrink-0 self-start text-warn" />
      <div className="min-w-56 flex-1 max-sm:min-w-[calc(100%-2.25rem)]">
        <p className="font-semibold">Does {number} want no more texts?</p>
        <p className="break-words text-ink-2">
          {people.map(({ id, name }, place) => (
            <span key={id}>
              {place > 0 && ", "}
              <Link to="/users" search={{ person: id }} className="underline underline-offset-2">
                <bdi translate="no">{name}</bdi>
              </Link>
            </span>
          ))}
          {people.length > 0 && <span>: </span>}
          <q className="break-words">{words}</q>
        </p>
        <p className="text-ink-2">We send no texts there until you decide.</p>
      </div>
      <span className="flex flex-wrap items-center gap-x-1.5 gap-y-2 max-sm:ml-9">
        <Button size="sm" disabled={busy} onClick={() => void decide(confirm, `No more texts to ${number}`)}>
          Send no more
        </Button>
        <Button
          variant="ghost"
          size="sm"
          disabled={busy}
          onClick={() => void decide(lift, `We'll text ${number} again`)}
        >
          Keep sending
        </Button>
      </span>
    </li>
  );
}

/** The newest of them, as rows of "Needs attention". */
export function useOptOutRows() {
  const read = useReadList(suppressions.list, { query: { unconfirmed: true, pageSize: 5 } }, { fresh: true });
  return (read.data?.rows ?? []).flatMap(({ words, ...suppression }) =>
    words === null
      ? []
      : [
          <OptOutQuestion
            key={`${suppression.channel} ${suppression.address}`}
            suppression={{ ...suppression, words }}
          />,
        ],
  );
}
