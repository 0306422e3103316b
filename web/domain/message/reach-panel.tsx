import { people } from "#contract/text/count-text.ts";
import { CircleAlert, FlaskConical, UserMinus, Users } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { Reach } from "#contract/calls/audience.ts";
import { channelMeaning, type Channel } from "#contract/delivery.ts";
import { listText } from "#contract/text/locale.ts";
import { reachSentences, reasonPhrase } from "#web/domain/message/reach-text.ts";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { ReachByChannel } from "#web/domain/message/reach-by-channel.tsx";
import { WhoGetsWhat } from "#web/domain/message/who-gets-what.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { cx } from "#web/ui/browser/class-names.ts";

const NAMED = 3;

/**
 * The summary before sending: how many people get it, who doesn't and why, and what is only simulated. `byChannel` groups
 * people who are left out by channel and reason, instead of naming the first few.
 */
export function ReachPanel({ byChannel = false }: { byChannel?: boolean }) {
  const { reach, values } = useMessage();
  const { recipients, channels } = values;
  const [listing, setListing] = useState(false);
  // While the first channel is counted, the last answer is still the one without channels: no one gets anything.
  const outdated = reach.loading && channels.length > 0 && reach.reach?.messages === 0;
  const found = outdated ? undefined : reach.reach;
  return (
    <div className="rounded-md bg-sunk px-3.5 py-2.5 text-sm">
      {found && channels.length > 0 && (
        <button
          type="button"
          onClick={() => setListing(true)}
          className="float-right ml-3 rounded-sm font-semibold underline-offset-4 hover:underline touch:-my-3 touch:min-h-11"
        >
          Who gets what
        </button>
      )}
      <div aria-live="polite" className={cx("space-y-1.5", reach.loading && "cursor-progress")}>
        {recipients.length === 0 ? (
          <Line icon={<Users />}>
            <span className="text-ink-2">Choose recipients to see who gets it.</span>
          </Line>
        ) : !found ? (
          <Line icon={<Users />}>
            <span className="text-ink-2">
              {reach.failed ? "We couldn't count the recipients." : "Counting..."}
            </span>
          </Line>
        ) : channels.length === 0 ? (
          <Line icon={<Users />}>
            <strong className="font-semibold">{people(found.people)}.</strong>{" "}
            <span className="text-ink-2">Choose a channel to see who gets it.</span>
          </Line>
        ) : (
          <Answer reach={found} channels={channels} byChannel={byChannel} />
        )}
      </div>
      {reach.failed && (
        <Button size="sm" className="mt-2" onClick={reach.retry}>
          Retry
        </Button>
      )}
      {listing && <WhoGetsWhat audience={reach.audience} onClose={() => setListing(false)} />}
    </div>
  );
}

type AnswerProps = { reach: Reach; channels: readonly Channel[]; byChannel: boolean };

function Answer({ reach, channels, byChannel }: AnswerProps) {
  const [gets, getsNothing] = reachSentences(reach);
  const { first, total } = reach.unreachable;
  const named = first.slice(0, NAMED);
  const more = total - named.length;
  const simulated = channels.filter((channel) => reach.byChannel[channel].simulated);
  return (
    <>
      <Line icon={<Users />}>
        <strong className="font-semibold">{gets}</strong> {getsNothing}
      </Line>
      {reach.settled > 0 && (
        <Line icon={<UserMinus />}>
          <span className="text-ink-2">{`${people(reach.settled)} left out by the detail.`}</span>
        </Line>
      )}
      {byChannel && <ReachByChannel reach={reach} channels={channels} />}
      {!byChannel &&
        named.map((person) => (
          <Line key={person.userId} icon={<CircleAlert />} className="text-warn">
            <bdi translate="no">{person.name}</bdi>
            {person.propertyUnit && (
              <>
                , <bdi translate="no">{person.propertyUnit}</bdi>
              </>
            )}
            : {reasonPhrase(person.reasons)}
          </Line>
        ))}
      {!byChannel && more > 0 && <p className="pl-6.5 text-warn">and {people(more)} more</p>}
      {simulated.length > 0 && (
        <Line icon={<FlaskConical />} className="text-ink-2">
          {listText(simulated.map((channel) => channelMeaning[channel].choice))}{" "}
          {simulated.length === 1
            ? "goes to the Sandbox. No one receives it."
            : "go to the Sandbox. No one receives them."}
        </Line>
      )}
    </>
  );
}

function Line({ icon, className, children }: { icon: ReactNode; className?: string; children: ReactNode }) {
  return (
    <p className={cx("flex items-start gap-2.5", className)}>
      <span aria-hidden className="mt-[3px] [&_svg]:size-4">
        {icon}
      </span>
      <span className="min-w-0 flex-1 break-words">{children}</span>
    </p>
  );
}
