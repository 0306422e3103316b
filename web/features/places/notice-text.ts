import { Ban, Check, CircleAlert, Clock3, type LucideIcon } from "lucide-react";
import type { HomeNotice } from "#contract/calls/places.ts";
import { personOutcomeMeaning } from "#contract/delivery.ts";
import { isolated } from "#contract/text/isolate.ts";
import { listText } from "#contract/text/locale.ts";

type People = readonly Pick<HomeNotice["people"][number], "name" | "outcome">[];

/** What came of a notice to a home, in a few words, with the icon and color that stand for it. */
export function noticeLook(people: People): { Icon: LucideIcon; color: string; text: string } {
  const meant = (meaning: (typeof personOutcomeMeaning)[keyof typeof personOutcomeMeaning]) =>
    people.filter(({ outcome }) => personOutcomeMeaning[outcome] === meaning);
  const [missed, open] = [meant("missed"), meant("open")];
  const optedOut = people.filter(({ outcome }) => outcome === "opted-out");
  const cancelled = people.filter(({ outcome }) => outcome === "cancelled");
  const reached = meant("reached");
  const text = [
    reached.length === people.length && reachedText(people.length),
    missed.length > 0 && `${who(missed, people)} not reached`,
    open.length > 0 && `${who(open, people)} waiting`,
    optedOut.length > 0 && `${who(optedOut, people)} opted out`,
    cancelled.length > 0 && `${who(cancelled, people)} cancelled`,
  ].filter((part) => part !== false);
  const look =
    missed.length > 0
      ? { Icon: CircleAlert, color: "text-warn" }
      : open.length > 0
        ? { Icon: Clock3, color: "text-ink-2" }
        : reached.length > 0
          ? { Icon: Check, color: "text-good" }
          : { Icon: Ban, color: "text-ink-2" };
  return { ...look, text: sentenceCase(text.join(", ")) };
}

function reachedText(count: number): string {
  if (count === 1) return "reached";
  return count === 2 ? "reached both" : `reached all ${count}`;
}

/** By name, unless it is everyone. */
function who(some: People, people: People): string {
  if (some.length < people.length) return listText(some.map(({ name }) => isolated(name)));
  return people.length === 1 ? "" : people.length === 2 ? "both" : `all ${people.length}`;
}

/** A name that begins with a small letter keeps it. */
const sentenceCase = (text: string) =>
  text
    .trimStart()
    .replace(
      /^(?:reached|both|all|not|waiting|opted|cancelled)\b/,
      (word) => word.slice(0, 1).toUpperCase() + word.slice(1),
    );
