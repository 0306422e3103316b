import { useEffect, useEffectEvent, useState, useMemo } from "react";
import { audience, type Reach } from "#contract/calls/audience.ts";
import { deliveries } from "#contract/calls/deliveries.ts";
import { channels, type Channel } from "#contract/delivery.ts";
import { groups } from "#contract/calls/groups.ts";
import { notifications, type AudienceMember, type NotificationForm } from "#contract/calls/notifications.ts";
import { places } from "#contract/calls/places.ts";
import { schedules } from "#contract/calls/schedules.ts";
import { templates } from "#contract/calls/templates.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { homesText } from "#contract/text/homes-text.ts";
import { users } from "#contract/calls/users.ts";
import { useRead, useReadList } from "#web/api/use-read.ts";
import { CreateNotification } from "#web/pages/create-notification.tsx";
import type { Start } from "#web/pages/write-search.ts";
import { personName } from "#web/domain/avatar.tsx";
import { messageOf, writtenFor, writtenOf, type Written } from "#web/domain/message/values.ts";
import { MOST_NAMED } from "#web/domain/write-link.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

const titles: Partial<Record<Start["type"], string>> = {
  template: "No template to use",
  missed: "We couldn't start the message",
  run: "We couldn't start the message",
};

type From = Start & { occurrence: string | undefined; units: number[] | undefined };
export type WriteFromProps = {
  start: From;
  copy: number | undefined;
  open: boolean;
  onOpenChange: (open: boolean) => void;
};

/** The create dialog with what the URL says that it starts with, once that is read. */
export default function WriteFrom({ start, copy, onOpenChange }: WriteFromProps) {
  const found = useStart(start, copy);
  // Read only once. A later refresh must not close the dialog while someone is writing.
  const [first, setFirst] = useState(found.initial && found);
  if (first === undefined && found.initial !== undefined) setFirst(found);
  const initial = first?.initial;
  const error = first === undefined ? found.error : undefined;
  const { type, id, occurrence } = start;
  const replaces = useMemo(
    () => (type === "run" && occurrence !== undefined ? { scheduleId: id, occurrence } : undefined),
    [type, id, occurrence],
  );
  const giveUp = useEffectEvent((description: string) => {
    toast({ title: titles[start.type] ?? "No one to message", description, variant: "destructive" });
    onOpenChange(false);
  });
  useEffect(() => {
    if (error) giveUp(error);
  }, [error]);
  if (initial === undefined) return null;
  return (
    <CreateNotification
      open
      onOpenChange={onOpenChange}
      initial={initial}
      written={first?.written}
      replaces={replaces}
      draftName={draftName(start, copy)}
    />
  );
}

function draftName({ type, id, occurrence, units }: From, copy: number | undefined): string {
  if (type === "homes" && units) return `to homes ${units.join(" ")}`;
  if (type === "run") return `from run ${id} ${occurrence ?? ""}`;
  if (type === "template") return `from template ${id}`;
  return copy === undefined ? `to ${type} ${id}` : `copy of ${copy} to ${type} ${id}`;
}

type Property = ReplyOf<typeof places.property>;

type Found = {
  initial?: Partial<NotificationForm> | undefined;
  /** When that was written, if it is older. */
  written?: Written | undefined;
  error?: string | undefined;
};

/** What the form starts with; empty while loading. */
function useStart({ type, id, occurrence, units }: From, copy: number | undefined): Found {
  const person = useRead(users.detail, { params: { id } }, { enabled: type === "user" });
  const group = useRead(groups.detail, { params: { id } }, { enabled: type === "group" });
  const property = useRead(places.property, { params: { id } }, { enabled: type === "homes" });
  const template = useRead(templates.read, { params: { id } }, { enabled: type === "template" });
  const run = useRead(
    schedules.outgoing,
    { params: { id }, query: occurrence === undefined ? {} : { occurrence } },
    { enabled: type === "run", fresh: true },
  );
  const missed = useMissed(type === "missed" ? id : undefined);
  const one: AudienceMember[] | undefined = person.data && [
    { type: "user", id, name: personName(person.data) },
  ];
  const copied = useCopy(type === "missed" ? id : copy, one ?? missed.people);
  switch (type) {
    case "user":
      return copy === undefined
        ? { initial: one && { recipientType: "individuals", recipients: one }, error: person.error?.message }
        : { ...copied, error: person.error?.message ?? copied.error };
    case "missed":
      return { ...copied, error: missed.error ?? copied.error };
    case "run":
      return {
        initial: run.data && messageOf(run.data),
        written: run.data && writtenFor(run.data),
        error: run.error?.message,
      };
    case "group":
      return {
        initial: group.data && { recipientType: "groups", recipients: [{ type, id, name: group.data.name }] },
        error: group.error?.message,
      };
    case "homes":
      return {
        initial: property.data && {
          recipientType: "homes",
          recipients: [homesOf(property.data, units)],
        },
        error: property.error?.message,
      };
    case "template":
      return {
        // As if it had been picked in the dialog.
        initial: template.data && {
          title: template.data.name,
          messageType: "template",
          templateId: String(id),
        },
        error: template.error?.message,
      };
    default:
      return type satisfies never;
  }
}

/** All homes of a property, or those of these ids. */
function homesOf({ id, name, homesListed }: Property, units: number[] | undefined): AudienceMember {
  const chosen = units && homesListed.filter((home) => units.includes(home.id));
  const where = chosen ? { units: chosen.map((home) => home.id) } : {};
  return {
    type: "homes",
    id,
    ...where,
    name: homesText(
      name,
      where,
      chosen?.map((home) => home.name),
    ),
  };
}

/** The people that a notification didn't reach, except those removed since. */
function useMissed(id: number | undefined): {
  people?: AudienceMember[] | undefined;
  error?: string | undefined;
} {
  const listed = useReadList(
    deliveries.list,
    { params: { id: id ?? 0 }, query: { show: "unreached", pageSize: MOST_NAMED } },
    { enabled: id !== undefined },
  );
  const ids = [...new Set(listed.data?.rows.map(({ userId }) => userId))];
  const present = useReadList(
    audience.reachList,
    {
      body: {
        recipients: ids.map((userId) => ({ type: "user", id: userId })),
        // One line for each of them.
        channels: ["email"],
        pageSize: MOST_NAMED,
      },
    },
    { enabled: ids.length > 0, fresh: true },
  );
  const error = (listed.error ?? present.error)?.message;
  if (error !== undefined) return { error };
  if (listed.data && listed.data.total > MOST_NAMED)
    return { error: `It didn't reach more than ${MOST_NAMED} people. Choose a group to write to.` };
  if (listed.data?.total === 0 || present.data?.total === 0)
    return { error: "There is no one left to write to." };
  return { people: present.data?.rows.map(({ userId, name }) => ({ type: "user", id: userId, name })) };
}

/** A copy of a notification for these people, on the channels that reach any of them. */
function useCopy(id: number | undefined, people: AudienceMember[] | undefined): Found {
  const copied = useRead(notifications.detail, { params: { id: id ?? 0 } }, { enabled: id !== undefined });
  const recipients = people?.map((person) => ({ type: person.type, id: person.id })) ?? [];
  const reach = useRead(
    audience.reach,
    { body: { recipients, channels: [] } },
    { enabled: id !== undefined && people !== undefined, fresh: true },
  );
  return {
    initial: copied.data &&
      reach.data &&
      people && {
        ...messageOf(copied.data),
        recipientType: "individuals",
        recipients: people,
        channels: reachingChannels(reach.data),
      },
    written: copied.data && writtenOf(copied.data),
    error: (copied.error ?? reach.error)?.message,
  };
}

/** Without the Sandbox, unless there is nothing else. */
function reachingChannels({ byChannel }: Reach): Channel[] {
  const able = channels.filter((channel) => byChannel[channel].willGet > 0);
  const real = able.filter((channel) => !byChannel[channel].simulated);
  return real.length > 0 ? real : able;
}
