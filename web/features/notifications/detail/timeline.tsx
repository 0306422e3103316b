import type { TimelineEvent } from "#contract/calls/deliveries.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import { exact, nearby } from "#web/ui/time/format-time.ts";
import { useZone } from "#web/ui/time/when.tsx";

const dots: Record<TimelineEvent["kind"], string> = {
  done: "bg-ink-3 border-ink-3",
  good: "bg-good border-good",
  bad: "bg-bad border-bad",
  waiting: "bg-card border-lamp",
};

/** Everything that happened to one delivery, in sentences, the oldest first. */
export function Timeline({ events }: { events: readonly TimelineEvent[] }) {
  const zone = useZone();
  return (
    // In a sheet that scrolls it is the one thing that the keyboard can hold on to.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ol tabIndex={0} aria-label="What happened" className="flex flex-col rounded-sm">
      {events.map((event, index) => (
        <li key={`${event.at} ${event.sentence}`} className="group relative flex gap-3 pb-4 last:pb-0">
          <span
            aria-hidden
            className="absolute top-3 bottom-0 left-[0.3125rem] w-px bg-line group-last:hidden"
          />
          <span
            aria-hidden
            className={cx("relative mt-1.5 size-3 shrink-0 rounded-full border-2", dots[event.kind])}
          />
          <div className="min-w-0 text-sm">
            <p className={cx("break-words", index === events.length - 1 && "font-medium")}>
              {event.sentence}
            </p>
            <p className="break-words text-ink-3 tabular">
              <time dateTime={event.at} title={exact(event.at, { zone })}>
                {nearby(event.at, { zone })}
              </time>
              {event.detail && <> · {event.detail}</>}
            </p>
          </div>
        </li>
      ))}
    </ol>
  );
}
