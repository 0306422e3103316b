import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Download } from "lucide-react";
import { useState, type ComponentType } from "react";
import { monthText } from "#contract/calls/archive.ts";
import type { Delivery } from "#contract/calls/deliveries.ts";
import { type HomeDetail, type HomeNotice, places, type ResidencyRow } from "#contract/calls/places.ts";
import { lives, standingOn } from "#contract/homes.ts";
import { counted } from "#contract/text/count-text.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { isolated } from "#contract/text/isolate.ts";
import { address, send } from "#web/api/client.ts";
import { useMay } from "#web/api/session.ts";
import { useReadList } from "#web/api/use-read.ts";
import { ChannelIcon } from "#web/domain/channel.tsx";
import { Simulated } from "#web/domain/simulated.tsx";
import { homeName } from "#web/features/places/home-text.ts";
import { noticeLook } from "#web/features/places/notice-text.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import { downloadFile } from "#web/ui/browser/download-file.ts";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { DatePicker } from "#web/ui/form/date-picker.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { ListStates } from "#web/ui/list/list-states.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { When } from "#web/ui/time/when.tsx";

const PAGE_SIZE = 5;

/** Renders a delivery's outcome. The notifications feature provides the badge. */
export type Outcome = ComponentType<Pick<Delivery, "status" | "reason">>;

type Props = { home: HomeDetail; Outcome: Outcome };

/** What an auditor asks: every notice that went to the home, and, for a day, who lived there and what they got. */
export function HomeNotices({ home, Outcome }: Props) {
  const [day, setDay] = useState("");
  const [page, setPage] = useState(1);
  const living = home.residents.filter(({ role }) => lives(role));
  const read = useReadList(places.notices, {
    params: { id: home.id },
    query: { page, pageSize: PAGE_SIZE, ...(day && { day }) },
  });
  const choose = (next: string) => {
    setDay(next);
    setPage(1);
  };
  return (
    <section className="flex flex-col gap-3">
      <h3 className="text-sm font-semibold">Notices to this home</h3>
      {living.length > 0 && (
        <div className="flex flex-wrap items-end gap-2">
          <Field label="Who lived here on" className="min-w-48 flex-1">
            {(wiring) => <DatePicker {...wiring} value={day} onChange={choose} today={home.today} />}
          </Field>
          {day !== "" && <Button onClick={() => choose("")}>All days</Button>}
        </div>
      )}
      {day !== "" && <LivedHere living={living} day={day} />}
      <ListStates
        read={read}
        failed="Error loading notices"
        skeleton={<Skeleton className="h-32 rounded-md" />}
        empty={<p className="text-sm text-ink-2">{noneText(home, day)}</p>}
        pages={{ noun: ["notice", "notices"], page, pageSize: PAGE_SIZE, onPage: setPage }}
      >
        {(notices, stale) => (
          <ul
            aria-busy={stale || undefined}
            className={cx("divide-y divide-line rounded-md border border-line", stale && "cursor-progress")}
          >
            {notices.map((notice) => (
              <Notice key={`${notice.notificationId} ${notice.at}`} notice={notice} Outcome={Outcome} />
            ))}
          </ul>
        )}
      </ListStates>
      {home.archivedThrough && (
        <p className="text-sm text-ink-2">
          Delivery details up to {monthText(home.archivedThrough)} are no longer listed here.
        </p>
      )}
      {(read.data?.total ?? 0) > 0 && <ExportButton home={home} day={day} />}
    </section>
  );
}

function noneText({ archivedThrough }: HomeDetail, day: string): string {
  if (day !== "") return `No notice went to this home on ${dayText(day)}.`;
  return archivedThrough ? "No notice has gone to this home since." : "No notice has gone to this home yet.";
}

/** Who lived there on the day, said aloud when another one is chosen. */
function LivedHere({ living, day }: { living: readonly ResidencyRow[]; day: string }) {
  const found = living.filter((one) => standingOn(day, one) === "now");
  return (
    <output className="text-sm">
      <span className="text-ink-2">{`${dayText(day)}: ${found.length === 0 ? "no one on file" : counted(found.length, "person")}`}</span>
      {found.map(({ id, name }) => (
        <bdi key={id} translate="no" className="block font-medium">
          {name}
        </bdi>
      ))}
    </output>
  );
}

function Notice({ notice, Outcome }: { notice: HomeNotice; Outcome: Outcome }) {
  const { notificationId, title, at, people } = notice;
  const { Icon, color, text } = noticeLook(people);
  const deliveries = people.flatMap((person) => person.deliveries);
  const tried = deliveries.filter(({ status }) => status !== "skipped");
  return (
    <li className="flex gap-2.5 px-3.5 py-3 text-sm">
      <Icon aria-hidden className={cx("mt-0.5 size-4 shrink-0 touch:mt-3.5", color)} />
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <div>
          <Link
            to="/notifications/$id"
            params={{ id: String(notificationId) }}
            className="font-semibold break-words underline-offset-2 hover:underline touch:inline-block touch:min-h-11 touch:content-center"
          >
            <bdi translate="no">{title}</bdi>
          </Link>
          <p className="text-ink-2">
            <When at={at} />
            {" · "}
            <span className={color}>{text}</span>{" "}
            {tried.length > 0 && tried.every(({ simulated }) => simulated) && <Simulated bare />}
          </p>
        </div>
        <ul className="flex flex-col gap-1.5">
          {people.map(({ id, name, deliveries: own }) => (
            <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <bdi translate="no">{name}</bdi>
              {own.map((delivery) => (
                <Link
                  key={delivery.id}
                  to="/notifications/$id"
                  params={{ id: String(notificationId) }}
                  search={{ delivery: delivery.id }}
                  title={`${delivery.sentence} Open the message as ${isolated(name)} got it.`}
                  className="flex items-center gap-1 rounded-md hover:underline touch:min-h-11"
                >
                  <ChannelIcon channel={delivery.channel} className="size-6.5" />{" "}
                  <Outcome status={delivery.status} reason={delivery.reason} />
                </Link>
              ))}
            </li>
          ))}
        </ul>
      </div>
    </li>
  );
}

/** What is listed, on all pages, as a file to keep. */
function ExportButton({ home, day }: { home: HomeDetail; day: string }) {
  const may = useMay("people:export");
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const query = day === "" ? {} : { day };
      const url = address(places.noticesFile.path, { params: { id: home.id }, query });
      return (await send(places.noticesFile, url)).blob();
    },
    onSuccess: (file) => {
      const name = [home.property.name, homeName(home.name), "notices", day].filter(Boolean).join(" ");
      downloadFile(`${name}.csv`, file);
    },
    onError: (error) => toast({ variant: "destructive", title: "Export Failed", description: error.message }),
  });
  if (!may) return null;
  return (
    <Button
      size="sm"
      className="w-fit"
      icon={<Download aria-hidden />}
      busy={isPending}
      onClick={() => mutate()}
    >
      {day === "" ? "Export all notices (CSV)" : "Export this day (CSV)"}
    </Button>
  );
}
