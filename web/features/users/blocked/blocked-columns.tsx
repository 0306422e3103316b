import { Link } from "@tanstack/react-router";
import { Ban, BellOff, CircleAlert, OctagonAlert, type LucideIcon } from "lucide-react";
import { isolated } from "#contract/text/isolate.ts";
import type { Suppression, SuppressionKind } from "#contract/calls/suppressions.ts";
import { addressKind, type Channel } from "#contract/delivery.ts";
import { numberText } from "#contract/text/locale.ts";
import { ChannelIcon } from "#web/domain/channel.tsx";
import { nationalPhone } from "#web/domain/phone-number.ts";
import { Badge, type Tone } from "#web/ui/feedback/badge.tsx";
import { Button } from "#web/ui/page/button.tsx";
import type { Column } from "#web/ui/list/data-table.tsx";
import { When } from "#web/ui/time/when.tsx";

/** The one table of reasons: label, icon and color. */
export const kindLook: Record<SuppressionKind, { label: string; tone: Tone; Icon: LucideIcon }> = {
  bounce: { label: "Bounced", tone: "bad", Icon: OctagonAlert },
  complaint: { label: "Marked as spam", tone: "warn", Icon: CircleAlert },
  unsubscribe: { label: "Unsubscribed", tone: "quiet", Icon: BellOff },
  manual: { label: "Blocked by hand", tone: "quiet", Icon: Ban },
};

const link = "font-semibold underline decoration-line-strong underline-offset-4 hover:decoration-ink";

export function blockedColumns(onUnblock: (blocked: Suppression) => void): Column<Suppression>[] {
  return [
    {
      id: "channel",
      header: "Channel",
      card: "icon",
      className: "rows:w-20",
      cell: ({ channel }) => <ChannelIcon channel={channel} />,
    },
    {
      id: "address",
      header: "Address",
      card: "title",
      cell: (blocked) => <Address blocked={blocked} />,
    },
    {
      id: "why",
      header: "Reason",
      card: "wide",
      className: "rows:w-2/5 rows:snug:w-1/3",
      cell: (blocked) => <Why blocked={blocked} />,
    },
    {
      id: "since",
      header: "Blocked",
      card: "start",
      className: "rows:w-37 rows:snug:w-26",
      cell: ({ at }) => <When at={at} className="text-ink-2" />,
    },
    {
      id: "unblock",
      header: "Action",
      card: "end",
      className: "rows:text-right",
      cell: (blocked) => (
        <Button
          size="sm"
          aria-label={`Unblock ${isolated(shown(blocked))}`}
          onClick={() => onUnblock(blocked)}
        >
          Unblock
        </Button>
      ),
    },
  ];
}

/** Its address is a person. */
const toDevice = (channel: Channel) => addressKind(channel) === "device";

const shown = ({ channel, address, people }: Suppression) =>
  toDevice(channel) ? (people[0]?.name ?? "A deleted person") : nationalPhone(address);

function Address({ blocked }: { blocked: Suppression }) {
  const { channel, people, peopleTotal } = blocked;
  const more = peopleTotal - people.length;
  return (
    <>
      <bdi translate="no" className="block font-semibold wrap-anywhere">
        {shown(blocked)}
      </bdi>
      <span className="block text-ink-2">
        {people.length === 0 && !toDevice(channel) && "No one has this on file"}
        {people.map(({ id, name }, place) => (
          <span key={id}>
            {place > 0 && ", "}
            <Link to="/users" search={{ person: id }} className={link}>
              <bdi translate="no">{toDevice(channel) ? "Open details" : name}</bdi>
            </Link>
          </span>
        ))}
        {more > 0 && ` and ${numberText(more)} more`}
      </span>
    </>
  );
}

function Why({ blocked: { kind, reason, words, account, notification, by } }: { blocked: Suppression }) {
  const { label, tone, Icon } = kindLook[kind];
  return (
    <>
      <Badge tone={tone} icon={<Icon aria-hidden />}>
        {label}
      </Badge>
      <span className="mt-1 block wrap-anywhere">
        {reason} {words !== null && <q>{words}</q>}
      </span>
      {(notification || account || by) && (
        <span className="block text-ink-2 wrap-anywhere">
          {by && `By ${isolated(by)}`}
          {notification && (
            <Link to="/notifications/$id" params={{ id: String(notification.id) }} className={link}>
              <bdi translate="no">{notification.title}</bdi>
            </Link>
          )}
          {account && ` through ${isolated(account)}`}
        </span>
      )}
    </>
  );
}
