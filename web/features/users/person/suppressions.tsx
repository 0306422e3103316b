import { OctagonAlert } from "lucide-react";
import { useState } from "react";
import type { UserDetail } from "#contract/calls/users.ts";
import { channelLook } from "#web/domain/channel.tsx";
import { OptOutQuestion } from "#web/domain/opt-out-question.tsx";
import { nationalPhone } from "#web/domain/phone-number.ts";
import { Unblock, addressNoun } from "#web/domain/unblock.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { When } from "#web/ui/time/when.tsx";

type Suppression = UserDetail["suppressions"][number];

/** Blocked addresses, and why they are blocked. */
export function Suppressions({ person: { suppressions } }: { person: UserDetail }) {
  const [asked, setAsked] = useState<Suppression>();
  if (suppressions.length === 0) return null;
  return (
    <ul aria-label="Blocked addresses" className="flex flex-col gap-2">
      {suppressions.map((suppression) => {
        const { channel, address, reason, optedOut, words, at } = suppression;
        if (words !== null)
          return <OptOutQuestion key={`${channel} ${address}`} suppression={{ ...suppression, words }} />;
        return (
          <li
            key={`${channel} ${address}`}
            className="flex flex-wrap items-start gap-2.5 rounded-md bg-bad-soft px-3.5 py-3 text-sm text-bad"
          >
            <OctagonAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span className="min-w-0 flex-1 basis-64">
              <strong className="font-semibold wrap-anywhere">
                {channelLook[channel].label}: {optedOut && "we send nothing to "}
                <bdi translate="no" className="inline-block max-w-full">
                  {nationalPhone(address)}
                  {optedOut && "."}
                </bdi>
                {!optedOut && " is blocked."}
              </strong>{" "}
              {/[.!?]$/.test(reason) ? reason : `${reason}.`}{" "}
              {optedOut
                ? "This holds for everyone with it. Unblock it only if they ask."
                : `Add another ${addressNoun(channel)} to reach them.`}
              <span className="block">
                {optedOut ? "Since" : "Blocked"} <When at={at} as="sentence" />
              </span>
            </span>
            <Button size="sm" className="ml-auto" onClick={() => setAsked(suppression)}>
              Unblock
            </Button>
          </li>
        );
      })}
      {asked && <Unblock blocked={asked} onClose={() => setAsked(undefined)} />}
    </ul>
  );
}
