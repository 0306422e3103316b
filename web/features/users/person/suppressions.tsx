import { OctagonAlert } from "lucide-react";
import type { UserDetail } from "#contract/users.ts";
import { channelLook } from "#web/domain/channel.tsx";
import { nationalPhone } from "#web/domain/phone-number.ts";
import { When } from "#web/ui/when.tsx";

/** Addresses that are not written to any more, and why. */
export function Suppressions({ suppressions }: Pick<UserDetail, "suppressions">) {
  if (suppressions.length === 0) return null;
  return (
    <ul aria-label="Blocked addresses" className="flex flex-col gap-2">
      {suppressions.map(({ channel, address, reason, at }) => (
        <li
          key={`${channel} ${address}`}
          className="flex items-start gap-2.5 rounded-md bg-bad-soft px-3.5 py-3 text-sm text-bad"
        >
          <OctagonAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0">
            <strong className="font-semibold break-all">{`${channelLook[channel].label}: ${nationalPhone(address)} is blocked.`}</strong>{" "}
            {reason} Since <When at={at} />. Add another address to reach them.
          </span>
        </li>
      ))}
    </ul>
  );
}
