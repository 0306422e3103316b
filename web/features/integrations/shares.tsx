import { Pause } from "lucide-react";
import { type Channel, channelMeaning } from "#contract/delivery.ts";
import type { Account } from "#contract/calls/integrations.ts";
import { listText } from "#contract/text/locale.ts";
import { channelLook } from "#web/domain/channel.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { cx } from "#web/ui/browser/class-names.ts";

/** How a channel is shared as set up, and who sends now: two things while an account is out. */
export function Shares({ channel, accounts }: { channel: Channel; accounts: readonly Account[] }) {
  const total = accounts.reduce((sum, { weight }) => sum + weight, 0);
  const shares = accounts.filter(({ weight }) => weight > 0);
  const percent = ({ weight }: Account) => Math.round((weight / total) * 100);
  return (
    <Card className="flex flex-col gap-3 p-4">
      <h2 className="font-semibold">How {channelMeaning[channel].many} are shared</h2>
      {total > 0 && (
        <ul className="flex gap-1 max-sm:flex-wrap" aria-label="Shares">
          {shares.map((account) => (
            <li
              key={account.id}
              style={{ flexGrow: account.weight }}
              className={cx(
                "flex h-8 min-w-0 basis-0 items-center max-sm:basis-32 justify-between gap-2 rounded-md px-2.5 text-sm font-semibold",
                works(account)
                  ? channelLook[channel].soft
                  : "border border-dashed border-line-strong text-ink-2",
              )}
            >
              <span className="flex min-w-0 items-center gap-1.5">
                {!works(account) && <Pause aria-hidden className="size-3.5 shrink-0" />}
                <span className="truncate">{account.name}</span>
              </span>
              <span>{percent(account)}%</span>
            </li>
          ))}
        </ul>
      )}
      <p className="text-sm text-ink-2">{nowText(channel, accounts)}</p>
    </Card>
  );
}

const works = ({ state }: Account) => state === "Connected";
const named = (accounts: readonly Account[]) => listText(accounts.map(({ name }) => name));

function nowText(channel: Channel, accounts: readonly Account[]): string {
  const { many } = channelMeaning[channel];
  const sharing = accounts.filter(({ weight }) => weight > 0);
  const out = sharing.filter((account) => !works(account));
  if (out.length === 0) return `Each takes its share of new ${many}. If one fails, the others take over.`;
  const able = accounts.filter(works);
  if (able.length === 0) return `No account can send ${many} now. Messages wait until one works again.`;
  const verb = able.length === 1 ? "is" : "are";
  const again = out.length === 1 ? "works" : "work";
  return `${named(able)} ${verb} sending all ${many} until ${named(out)} ${again} again.`;
}
