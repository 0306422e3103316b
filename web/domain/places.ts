import { linkOptions, type LinkOptions, type LinkProps } from "@tanstack/react-router";
import {
  Ban,
  Bell,
  Building2,
  CalendarDays,
  CalendarPlus,
  CalendarSync,
  CircleAlert,
  CircleQuestionMark,
  CircleUserRound,
  Download,
  FilePlus2,
  FileText,
  LayoutDashboard,
  Plug,
  Plus,
  ScrollText,
  Settings,
  ShieldCheck,
  Upload,
  UserPlus,
  UsersRound,
  type LucideIcon,
} from "lucide-react";
import { channels } from "#contract/delivery.ts";
import { may, type Permission, type Principal } from "#contract/permissions.ts";
import { accountsSearch } from "#web/domain/account-tabs.ts";
import { channelLook } from "#web/domain/channel.tsx";

/** Where someone can go, or what can be begun: a line of the sidebar, the command palette and the help. */
export type Place = {
  label: string;
  /** As the help calls it: "Open Groups". For screens, "Open" and the label, if left out. */
  opens?: string;
  /** Other words that find it in the palette. */
  words?: string;
  Icon: LucideIcon;
  link: LinkOptions;
  /** Stands in the sidebar, under this heading. */
  menu?: "Main" | "Administration";
  /** Who sees it. Whoever works in the console, if left out. */
  who?: Permission | "tenants" | "everyone";
};

/** Opens the create dialog over the current screen. */
export function writeLink(write: "new" | `template:${number}`): LinkOptions {
  const search: LinkProps["search"] = (screen: object) => ({ ...screen, write });
  return { to: ".", search };
}

const home = linkOptions({ to: "/", activeOptions: { exact: true, includeSearch: false } });
const profile = { opens: "Open Profile", Icon: CircleUserRound, link: linkOptions({ to: "/profile" }) };

/** The screens, in the order of the sidebar and the palette. */
const screens = {
  notices: { label: "Notices", Icon: Bell, link: home, menu: "Main", who: "tenants" },
  profile: { label: "Profile", ...profile, menu: "Main", who: "tenants" },
  dashboard: { label: "Dashboard", Icon: LayoutDashboard, link: home, menu: "Main" },
  notifications: {
    label: "Notifications",
    Icon: Bell,
    link: linkOptions({ to: "/notifications" }),
    menu: "Main",
  },
  templates: { label: "Templates", Icon: FileText, link: linkOptions({ to: "/templates" }), menu: "Main" },
  schedules: {
    label: "Schedules",
    Icon: CalendarDays,
    link: linkOptions({ to: "/schedules" }),
    menu: "Main",
  },
  properties: {
    label: "Properties",
    words: "buildings homes units apartments floors residents",
    Icon: Building2,
    link: linkOptions({ to: "/properties" }),
    menu: "Main",
  },
  help: {
    label: "Help",
    Icon: CircleQuestionMark,
    link: linkOptions({ to: "/help" }),
    menu: "Main",
    who: "everyone",
  },
  users: {
    label: "User Management",
    Icon: UsersRound,
    link: linkOptions({ to: "/users" }),
    menu: "Administration",
  },
  settings: {
    label: "Settings",
    Icon: Settings,
    link: linkOptions({ to: "/settings" }),
    menu: "Administration",
  },
  integrations: {
    label: "Integrations",
    Icon: Plug,
    link: linkOptions({ to: "/integrations" }),
    menu: "Administration",
  },
  groups: {
    label: "User Groups",
    opens: "Open Groups",
    Icon: UsersRound,
    link: linkOptions({ to: "/users", search: { tab: "groups" } }),
  },
  blocked: {
    label: "Blocked Addresses",
    words: "bounces suppressions",
    Icon: Ban,
    link: linkOptions({ to: "/users", search: { tab: "blocked" } }),
  },
  calendar: {
    label: "Calendar of schedules",
    words: "month runs",
    Icon: CalendarSync,
    link: linkOptions({ to: "/schedules", search: { view: "month" } }),
  },
  security: {
    label: "Security settings",
    words: "password policy two-factor session",
    Icon: ShieldCheck,
    link: linkOptions({ to: "/settings", search: { tab: "security" } }),
  },
  notificationSettings: {
    label: "Notification settings",
    words: "channels defaults",
    Icon: ShieldCheck,
    link: linkOptions({ to: "/settings", search: { tab: "notifications" } }),
  },
  myProfile: { label: "My Profile", words: "password email phone two-factor", ...profile },
  audit: {
    label: "Audit Log",
    words: "history who changed",
    Icon: ScrollText,
    link: linkOptions({ to: "/settings/audit" }),
    who: "audit:read",
  },
} satisfies Record<string, Place>;

/** What can be begun from anywhere. The palette shows the first of them before anything is typed. */
const actions = {
  newNotification: {
    label: "New Notification",
    words: "send write message compose",
    Icon: Plus,
    link: writeLink("new"),
  },
  newUser: {
    label: "Add User",
    words: "new person tenant staff create",
    Icon: UserPlus,
    link: linkOptions({ to: "/users", search: { open: "new" } }),
  },
  import: {
    label: "Import CSV",
    words: "upload people file spreadsheet",
    Icon: Upload,
    link: linkOptions({ to: "/users", search: { open: "import" } }),
  },
  newSchedule: {
    label: "Create Schedule",
    words: "new recurring repeat plan",
    Icon: CalendarPlus,
    link: linkOptions({ to: "/schedules", search: { open: "new" } }),
  },
  newTemplate: {
    label: "New Template",
    words: "create message",
    Icon: FilePlus2,
    link: linkOptions({ to: "/templates", search: { open: "new" } }),
  },
  newGroup: {
    label: "New Group",
    words: "create recipients",
    Icon: UsersRound,
    link: linkOptions({ to: "/users", search: { tab: "groups", open: "new" } }),
  },
  newProperty: {
    label: "Add Property",
    words: "new building create",
    Icon: Building2,
    link: linkOptions({ to: "/properties", search: { open: "new" } }),
  },
  failures: {
    label: "See what failed",
    words: "failures errors undelivered not reached retry",
    Icon: CircleAlert,
    link: linkOptions({ to: "/notifications", search: { status: "Failures" } }),
  },
  export: {
    label: "Export CSV",
    words: "download people file spreadsheet",
    Icon: Download,
    link: linkOptions({ to: "/users", search: { open: "export" } }),
  },
  block: {
    label: "Block Address",
    words: "suppress bounce unsubscribe",
    Icon: Ban,
    link: linkOptions({ to: "/users", search: { tab: "blocked", open: "new" } }),
  },
  subscribe: {
    label: "Subscribe in a calendar app",
    words: "ics link outlook google apple",
    Icon: CalendarSync,
    link: linkOptions({ to: "/schedules", search: { open: "link" } }),
  },
} satisfies Record<string, Place>;

const addAccount = channels.map((channel): Place => ({
  label: `Add ${channelLook[channel].account} account`,
  words: "connect provider integration service",
  Icon: Plug,
  link: linkOptions({ to: "/integrations", search: { ...accountsSearch(channel), open: "new" } }),
  who: "integrations:write",
}));

export type PlaceName = keyof typeof screens | keyof typeof actions;

/** The link to a place, as the help calls it. */
export function linkTo(name: PlaceName): { label: string; link: LinkOptions } {
  const { label, opens, link }: Place = { ...screens, ...actions }[name];
  return { label: opens ?? (name in screens ? `Open ${label}` : label), link };
}

/** What a principal can open or begin, in the table's order. */
export function placesFor(principal: Principal | null, kind: "screens" | "actions"): Place[] {
  const places: Place[] =
    kind === "screens" ? Object.values(screens) : [...Object.values(actions), ...addAccount];
  return places.filter(({ who = "console" }) => {
    if (who === "everyone") return true;
    return who === "tenants" ? !may(principal, "console") : may(principal, who);
  });
}
