import { linkOptions, type LinkOptions } from "@tanstack/react-router";
import { Bell, CalendarClock, FileText, ListFilter, Plus, UserRound, UsersRound } from "lucide-react";
import { groups } from "#contract/calls/groups.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { may, type Principal } from "#contract/permissions.ts";
import { isolated } from "#contract/text/isolate.ts";
import { profileCalls } from "#contract/calls/profile.ts";
import { schedules } from "#contract/calls/schedules.ts";
import { templateChannel, templates } from "#contract/calls/templates.ts";
import { users } from "#contract/calls/users.ts";
import { callList } from "#web/api/client.ts";
import { Avatar, personName } from "#web/domain/avatar.tsx";
import { ChannelIcon, channelLook } from "#web/domain/channel.tsx";
import { people } from "#contract/text/count-text.ts";
import { numberText } from "#contract/text/locale.ts";
import { writeLink } from "#web/domain/places.ts";
import type { RecentItem, RecentKind } from "#web/domain/recent-items.ts";
import { RoleBadge } from "#web/domain/role-badge.tsx";
import { StatusBadge } from "#web/domain/status-badge.tsx";
import { Tile } from "#web/shell/palette/commands.tsx";
import type { PaletteGroup, PaletteItem } from "#web/shell/palette/item.ts";
import type { Search } from "#web/ui/form/use-search.ts";

const MANY = 5;
const FEW = 3;
/** A shorter search matches nearly everything. */
export const SHORTEST = 2;

const links = {
  person: (person: number) => linkOptions({ to: "/users", search: { person } }),
  notification: (id: number) => linkOptions({ to: "/notifications/$id", params: { id: String(id) } }),
  template: (edit: number) => linkOptions({ to: "/templates", search: { edit } }),
  schedule: (schedule: number) => linkOptions({ to: "/schedules", search: { schedule } }),
  group: (members: number) => linkOptions({ to: "/users", search: { tab: "groups", members } }),
} satisfies Record<RecentKind, (id: number) => LinkOptions>;

const recentLook = {
  person: { Icon: UserRound, word: "Person" },
  notification: { Icon: channelLook.email.Icon, word: "Notification" },
  template: { Icon: FileText, word: "Template" },
  schedule: { Icon: CalendarClock, word: "Schedule" },
  group: { Icon: UsersRound, word: "Group" },
} as const;

/** Something that was opened lately, as a line of the palette. */
export function recentItem({ kind, id, name }: RecentItem): PaletteItem {
  const { Icon, word } = recentLook[kind];
  return {
    key: `${kind} ${id}`,
    label: name,
    detail: word,
    icon: <Tile Icon={Icon} />,
    link: links[kind](id),
  };
}

type Kind = {
  title: string;
  /** "people", as in "We couldn't search people." */
  noun: string;
  /** The list with all results. */
  all: (q: string) => LinkOptions;
  find: (
    q: string,
    signal: AbortSignal,
  ) => Promise<{ items: PaletteItem[]; total: number; also?: PaletteItem[] }>;
};

const staffKinds: Kind[] = [
  {
    title: "Notifications",
    noun: "notifications",
    all: (q) => linkOptions({ to: "/notifications", search: { q } }),
    async find(q, signal) {
      const { rows, total } = await callList(
        notifications.list,
        { query: { q, pageSize: MANY } },
        { signal },
      );
      const items = rows.map(({ id, title, channels, recipients, sentTime, status }) => ({
        key: `notification ${id}`,
        label: title,
        detail: [recipients, sentTime].filter(Boolean).join(" · "),
        icon: <ChannelIcon channel={channels[0] ?? "email"} named className="size-9" />,
        end: <StatusBadge status={status} />,
        link: links.notification(id),
      }));
      return { items, total };
    },
  },
  {
    title: "People",
    noun: "people",
    all: (q) => linkOptions({ to: "/users", search: { q } }),
    async find(q, signal) {
      const { rows, total } = await callList(
        users.list,
        { query: { q, bestFirst: true, pageSize: MANY } },
        { signal },
      );
      const items = rows.map((person) => ({
        key: `person ${person.id}`,
        label: personName(person),
        detail: [person.propertyUnit && isolated(person.propertyUnit), person.email ?? person.phone]
          .filter(Boolean)
          .join(" · "),
        icon: <Avatar person={person} className="size-9" />,
        end: <RoleBadge role={person.role} />,
        link: links.person(person.id),
      }));
      return { items, total };
    },
  },
  {
    title: "Templates",
    noun: "templates",
    all: (q) => linkOptions({ to: "/templates", search: { q } }),
    async find(q, signal) {
      const { rows, total } = await callList(
        templates.list,
        { query: { q, bestFirst: true, pageSize: FEW } },
        { signal },
      );
      const items = rows.map(({ id, name, type, subject, content }) => ({
        key: `template ${id}`,
        label: name,
        detail: subject || content,
        icon: <ChannelIcon channel={templateChannel[type]} named className="size-9" />,
        link: links.template(id),
      }));
      const also = rows.slice(0, 1).map(({ id, name }) => ({
        key: `write from template ${id}`,
        label: `New Notification from ${isolated(name)}`,
        detail: "Opens the form with this template chosen",
        icon: <Tile Icon={Plus} strong />,
        link: writeLink(`template:${id}`),
      }));
      return { items, total, also };
    },
  },
  {
    title: "Schedules",
    noun: "schedules",
    all: (q) => linkOptions({ to: "/schedules", search: { tab: "all", q } }),
    async find(q, signal) {
      const { rows, total } = await callList(schedules.list, { query: { q, pageSize: FEW } }, { signal });
      const items = rows.map(({ id, kind, name, rule, recipients, notificationId }) => ({
        key: `schedule ${id}`,
        label: name,
        detail: [rule, isolated(recipients)].filter(Boolean).join(" · "),
        icon: <Tile Icon={CalendarClock} />,
        link:
          kind === "notification" && notificationId !== null
            ? links.notification(notificationId)
            : links.schedule(id),
      }));
      return { items, total };
    },
  },
  {
    title: "Groups",
    noun: "groups",
    all: (q) => linkOptions({ to: "/users", search: { tab: "groups", q } }),
    async find(q, signal) {
      const { rows, total } = await callList(
        groups.list,
        { query: { q, bestFirst: true, pageSize: FEW } },
        { signal },
      );
      const items = rows.map(({ id, name, description, userCount }) => ({
        key: `group ${id}`,
        label: name,
        detail: [people(userCount), description].filter(Boolean).join(" · "),
        icon: <Tile Icon={UsersRound} />,
        link: links.group(id),
      }));
      return { items, total };
    },
  },
];

const tenantKinds: Kind[] = [
  {
    title: "Notices",
    noun: "notices",
    all: (q) => linkOptions({ to: "/", search: { q } }),
    async find(q, signal) {
      const { rows, total } = await callList(
        profileCalls.notices,
        { query: { q, pageSize: MANY } },
        { signal },
      );
      const items = rows.map(({ id, title, begins }) => ({
        key: `notice ${id}`,
        label: title,
        detail: begins,
        icon: <Tile Icon={Bell} />,
        link: linkOptions({ to: "/", search: { notice: id } }),
      }));
      return { items, total };
    },
  },
];

/**
 * Searches everything that the person can see, with one small call per kind, side by side. A part that fails is marked as
 * failed; only if all of them fail, the search does.
 */
export function finder(principal: Principal | null): Search<PaletteGroup> {
  const kinds = may(principal, "console") ? staffKinds : tenantKinds;
  return async (q, signal) => {
    if (q.length < SHORTEST) return { options: [] };
    const answers = await Promise.allSettled(kinds.map(({ find }) => find(q, signal)));
    const [first] = answers;
    if (first?.status === "rejected" && answers.every(({ status }) => status === "rejected"))
      throw first.reason;
    const options = answers.flatMap((answer, index): PaletteGroup[] => {
      const { title, noun, all } = kinds[index]!;
      if (answer.status === "rejected") return [{ title, items: [], failed: true }];
      const { items, total, also = [] } = answer.value;
      if (items.length === 0) return [];
      const rest = { key: `all ${noun}`, label: `See all ${numberText(total)} ${noun}` };
      const more = total > items.length ? [{ ...rest, icon: <Tile Icon={ListFilter} />, link: all(q) }] : [];
      return [
        { title: "Actions", items: also },
        { title, total, items: [...items, ...more] },
      ];
    });
    return { options };
  };
}
