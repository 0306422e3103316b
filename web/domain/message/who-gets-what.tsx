import { useState } from "react";
import { isolated } from "#contract/text/isolate.ts";
import { audience as contract, type ReachLine } from "#contract/calls/audience.ts";
import { sharesMessage } from "#contract/delivery-reasons.ts";
import { useReadList } from "#web/api/use-read.ts";
import { useDebounced } from "#web/ui/browser/use-debounced.ts";
import type { Audience } from "#web/domain/message/use-reach.ts";
import { ChannelIcon } from "#web/domain/channel.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { ListStates } from "#web/ui/list/list-states.tsx";
import { shownAddress } from "#web/domain/phone-number.ts";
import { SearchInput } from "#web/ui/list/search-input.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";
import { SkeletonRows } from "#web/ui/feedback/skeleton.tsx";

const PAGE = 25;
const shows = [
  { value: "all", label: "Everyone" },
  { value: "skipped", label: "Left out" },
  { value: "unreachable", label: "Won't get it" },
] as const;
type Show = (typeof shows)[number]["value"];

/** For each person, which channels reach them, and why others do not. */
export function WhoGetsWhat({ audience, onClose }: { audience: Audience; onClose: () => void }) {
  const [text, setText] = useState("");
  const [only, setOnly] = useState<Show>("all");
  const [page, setPage] = useState(1);
  const q = useDebounced(text.trim(), 200);
  const read = useReadList(
    contract.reachList,
    { body: { ...audience, ...(q ? { q } : {}), only, page, pageSize: PAGE } },
    { fresh: true },
  );
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Who gets what"
      description="Based on current people, groups and preferences."
      above={
        <div className="flex flex-wrap gap-2">
          <SearchInput
            label="Search people"
            placeholder="Search people"
            value={text}
            onChange={(next) => {
              setText(next);
              setPage(1);
            }}
            className="min-w-48 flex-1"
          />
          <Segmented
            label="Show"
            segments={shows}
            value={only}
            onChange={(next) => {
              setOnly(next);
              setPage(1);
            }}
          />
        </div>
      }
    >
      <ListStates
        read={read}
        failed="We couldn't load the list"
        skeleton={<SkeletonRows rows={6} className="h-11" />}
        empty={
          <p className="py-10 text-center text-sm text-ink-2">
            {q
              ? `No one found for “${isolated(q)}”.`
              : only === "all"
                ? "No one is in this audience."
                : "Everyone gets it."}
          </p>
        }
        pages={{
          noun: ["entry", "entries"],
          page,
          pageSize: PAGE,
          onPage: setPage,
        }}
      >
        {(rows, stale) => (
          <ul
            aria-busy={stale || undefined}
            className={cx("border-b border-line", stale && "cursor-progress")}
          >
            {byPerson(rows).map((lines) => (
              <PersonLines key={lines[0].userId} lines={lines} />
            ))}
          </ul>
        )}
      </ListStates>
    </Dialog>
  );
}

type Lines = [ReachLine, ...ReachLine[]];

function PersonLines({ lines }: { lines: Lines }) {
  const [{ name, propertyUnit }] = lines;
  return (
    <li className="grid gap-x-4 gap-y-1.5 border-t border-line py-2.5 text-sm first:border-t-0 sm:grid-cols-[2fr_3fr]">
      <p className="min-w-0 font-semibold break-words">
        <bdi translate="no">{name}</bdi>{" "}
        {propertyUnit && <span className="block font-normal text-ink-3">{propertyUnit}</span>}
      </p>
      <div className="flex min-w-0 flex-col gap-1.5">
        {lines.map(({ channel, address, reason, sentence }) => (
          <p key={channel} className="flex items-start gap-2.5">
            <ChannelIcon channel={channel} className="size-6! [&_svg]:size-3.5" />
            <span
              className={
                sentence === null || sharesMessage(reason)
                  ? "min-w-0 pt-px break-words text-ink-2"
                  : "min-w-0 pt-px break-words text-warn"
              }
            >
              {sentence ?? shownAddress(channel, address) ?? "Gets it"}
            </span>
          </p>
        ))}
      </div>
    </li>
  );
}

/** One person's lines are shown together; the server sends them next to each other. */
function byPerson(rows: readonly ReachLine[]): Lines[] {
  return [...Map.groupBy(rows, (row) => row.userId).values()] as Lines[];
}
