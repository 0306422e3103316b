import { linkOptions, type LinkOptions, type LinkProps } from "@tanstack/react-router";
import {
  Ban,
  BookOpen,
  CalendarPlus,
  CalendarSync,
  CircleAlert,
  Download,
  FilePlus2,
  LogOut,
  Monitor,
  Moon,
  Plug,
  Plus,
  ScrollText,
  ShieldCheck,
  Sun,
  Upload,
  UserPlus,
  UsersRound,
  type LucideIcon,
} from "lucide-react";
import { type Channel, channels } from "#contract/delivery.ts";
import { may, type Principal } from "#contract/permissions.ts";
import { accountsSearch } from "#web/domain/account-tabs.ts";
import { channelLook } from "#web/domain/channel.tsx";
import { staffSections } from "#web/features/help/staff-topics.ts";
import { tenantSections } from "#web/features/help/tenant-topics.ts";
import { matchingTopics } from "#web/features/help/topics.ts";
import { navigation, profileLink, tenantNavigation } from "#web/shell/navigation.ts";
import type { PaletteItem } from "#web/shell/palette/item.ts";
import { setTheme } from "#web/shell/theme.ts";
import { logOut } from "#web/shell/log-out.ts";
import { cx } from "#web/ui/browser/class-names.ts";

/** The icon at the left of a line. */
export function Tile({ Icon, strong }: { Icon: LucideIcon; strong?: boolean }) {
  return (
    <span
      aria-hidden
      className={cx(
        "grid size-9 shrink-0 place-items-center rounded-md",
        strong ? "bg-ink text-on-ink" : "bg-sunk text-ink-2",
      )}
    >
      <Icon className="size-4.5" strokeWidth={1.75} />
    </span>
  );
}

type Place = { label: string; Icon: LucideIcon; link: LinkOptions; words?: string; detail?: string };

const at = (place: Place, strong = false): PaletteItem => ({
  key: `${strong ? "do" : "go"} ${place.label}`,
  label: place.label,
  detail: place.detail,
  ...(place.words && { words: place.words }),
  icon: <Tile Icon={place.Icon} strong={strong} />,
  link: place.link,
});

/** Opens the create dialog over the current screen. */
export function writeLink(write: "new" | `template:${number}`): LinkOptions {
  const search: LinkProps["search"] = (screen: object) => ({ ...screen, write });
  return { to: ".", search };
}

const account = (channel: Channel): Place => ({
  label: `Add ${channelLook[channel].account} account`,
  words: "connect provider integration service",
  Icon: Plug,
  link: linkOptions({ to: "/integrations", search: { ...accountsSearch(channel), open: "new" } }),
});

const staffActions: Place[] = [
  { label: "New Notification", words: "send write message compose", Icon: Plus, link: writeLink("new") },
  {
    label: "Add User",
    words: "new person tenant staff create",
    Icon: UserPlus,
    link: linkOptions({ to: "/users", search: { open: "new" } }),
  },
  {
    label: "Import CSV",
    words: "upload people file spreadsheet",
    Icon: Upload,
    link: linkOptions({ to: "/users", search: { open: "import" } }),
  },
  {
    label: "Create Schedule",
    words: "new recurring repeat plan",
    Icon: CalendarPlus,
    link: linkOptions({ to: "/schedules", search: { open: "new" } }),
  },
  {
    label: "New Template",
    words: "create message",
    Icon: FilePlus2,
    link: linkOptions({ to: "/templates", search: { open: "new" } }),
  },
  {
    label: "New Group",
    words: "create recipients",
    Icon: UsersRound,
    link: linkOptions({ to: "/users", search: { tab: "groups", open: "new" } }),
  },
  {
    label: "See what failed",
    words: "failures errors undelivered not reached retry",
    Icon: CircleAlert,
    link: linkOptions({ to: "/notifications", search: { status: "Failures" } }),
  },
  {
    label: "Export CSV",
    words: "download people file spreadsheet",
    Icon: Download,
    link: linkOptions({ to: "/users", search: { open: "export" } }),
  },
  {
    label: "Block Address",
    words: "suppress bounce unsubscribe",
    Icon: Ban,
    link: linkOptions({ to: "/users", search: { tab: "blocked", open: "new" } }),
  },
  {
    label: "Subscribe in a calendar app",
    words: "ics link outlook google apple",
    Icon: CalendarSync,
    link: linkOptions({ to: "/schedules", search: { open: "link" } }),
  },
];
const adminActions = channels.map(account);

const staffPlaces: Place[] = [
  {
    label: "User Groups",
    Icon: UsersRound,
    link: linkOptions({ to: "/users", search: { tab: "groups" } }),
  },
  {
    label: "Blocked Addresses",
    words: "bounces suppressions",
    Icon: Ban,
    link: linkOptions({ to: "/users", search: { tab: "blocked" } }),
  },
  {
    label: "Calendar of schedules",
    words: "month runs",
    Icon: CalendarSync,
    link: linkOptions({ to: "/schedules", search: { view: "month" } }),
  },
  {
    label: "Security settings",
    words: "password policy two-factor session",
    Icon: ShieldCheck,
    link: linkOptions({ to: "/settings", search: { tab: "security" } }),
  },
  {
    label: "Notification settings",
    words: "channels defaults",
    Icon: ShieldCheck,
    link: linkOptions({ to: "/settings", search: { tab: "notifications" } }),
  },
  { label: "My Profile", words: "password email phone two-factor", ...profileLink },
];
const adminPlaces: Place[] = [
  {
    label: "Audit Log",
    words: "history who changed",
    Icon: ScrollText,
    link: linkOptions({ to: "/settings/audit" }),
  },
];

const themes = [
  { value: "light", Icon: Sun },
  { value: "dark", Icon: Moon },
  { value: "system", Icon: Monitor },
] as const;

const ownActions: PaletteItem[] = [
  ...themes.map(({ value, Icon }) => ({
    key: `theme ${value}`,
    label: `Use ${value} theme`,
    words: "appearance mode colors",
    icon: <Tile Icon={Icon} strong />,
    run: () => setTheme(value),
  })),
  {
    key: "log out",
    label: "Log out",
    words: "sign out",
    icon: <Tile Icon={LogOut} strong />,
    run: logOut,
  },
];

/** What can be done from anywhere. Those that come first are shown before anything is typed. */
export function actionsFor(principal: Principal | null): PaletteItem[] {
  if (!may(principal, "console")) return ownActions;
  const actions = may(principal, "integrations:write") ? [...staffActions, ...adminActions] : staffActions;
  return [...actions.map((action) => at(action, true)), ...ownActions];
}

/** The screens that can be opened. */
export function screensFor(principal: Principal | null): PaletteItem[] {
  const inConsole = may(principal, "console");
  const sections = inConsole ? navigation : tenantNavigation;
  const main = sections.flatMap(({ links }) => links.map((link) => at(link)));
  if (!inConsole) return main;
  const more = may(principal, "audit:read") ? adminPlaces : [];
  return [...main, ...[...staffPlaces, ...more].map((place) => at(place))];
}

/** The help topics that match. */
export function helpFor(principal: Principal | null, search: string): PaletteItem[] {
  return matchingTopics(may(principal, "console") ? staffSections : tenantSections, search)
    .flatMap(({ topics }) => topics)
    .map(({ id, title, summary }) => ({
      key: `help ${id}`,
      label: title,
      detail: summary,
      icon: <Tile Icon={BookOpen} />,
      link: linkOptions({ to: "/help", hash: id }),
    }));
}
