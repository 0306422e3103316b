import { createContext, use, type ReactNode, Fragment } from "react";
import { useMinuteTick } from "#web/ui/time/use-minute-tick.ts";
import { ago, brief, clock, dayAndTime, exact, nearby, nearbyInSentence } from "#web/ui/time/format-time.ts";

const Zone = createContext<string | undefined>(undefined);

/** The zone of every time on screen. */
export function ZoneProvider({ zone, children }: { zone: string | undefined; children: ReactNode }) {
  return <Zone value={zone}>{children}</Zone>;
}

export function useZone(): string | undefined {
  return use(Zone);
}

const styles = { nearby, brief, sentence: nearbyInSentence, full: dayAndTime, ago, clock };

type Props = {
  /** ISO 8601. */
  at: string;
  /** nearby: "Today, 8:12 AM"; sentence: "today at 8:12 AM"; full: "Tue, Nov 25, 9:00 AM"; ago: "2 days ago"; clock: "9:00 AM"; brief: "9:00 AM" today, otherwise the day. */
  as?: keyof typeof styles;
  className?: string;
};

/** Breaks only between date and time: "Tue, Nov 25," / "9:00 AM". The spaces stay spaces, for whoever copies or searches. */
const unbroken = (text: string) =>
  text.split(/(?<=,|\bat) (?=\d+:)| (?=at\b)/).flatMap((part, place) => [
    ...(place > 0 ? [" "] : []),
    <span key={place} className="whitespace-nowrap">
      {part}
    </span>,
  ]);

const months = "(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)";
const moments = new RegExp(
  String.raw`(?:\b[A-Z][a-z]{2},? )?\b(?:\d{1,2} ${months}|${months} \d{1,2})\b(?:,? \d{4}\b)?,?|\b\d{1,2}:\d\d [AP]M\b(?: [A-Z]{2,4}\b)?`,
  "g",
);

/** A sentence of the server's. No line of it ends inside a date or a time. */
export function WithMoments({ text }: { text: string }) {
  const found = [...text.matchAll(moments)];
  return found
    .map(({ 0: moment, index }, place) => (
      <Fragment key={index}>
        {text.slice((found[place - 1]?.index ?? 0) + (found[place - 1]?.[0].length ?? 0), index)}
        <span className="whitespace-nowrap">{moment}</span>
      </Fragment>
    ))
    .concat(
      <Fragment key="rest">
        {text.slice((found.at(-1)?.index ?? 0) + (found.at(-1)?.[0].length ?? 0))}
      </Fragment>,
    );
}

/** A formatted time that stays up to date, with the exact time on hover. */
export function When({ at, as = "nearby", className }: Props) {
  const zone = useZone();
  useMinuteTick();
  return (
    <time dateTime={at} title={exact(at, { zone })} className={className}>
      {unbroken(styles[as](at, { zone }))}
    </time>
  );
}
