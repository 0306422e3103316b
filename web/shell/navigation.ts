import {
  Bell,
  CalendarDays,
  CircleUserRound,
  CircleQuestionMark,
  FileText,
  LayoutDashboard,
  Plug,
  Settings,
  UsersRound,
} from "lucide-react";
import { linkOptions } from "@tanstack/react-router";

export const profileLink = { Icon: CircleUserRound, link: linkOptions({ to: "/profile" }) };

/** The sidebar for administrators and staff. */
export const navigation = [
  {
    heading: "Main",
    links: [
      {
        label: "Dashboard",
        Icon: LayoutDashboard,
        link: linkOptions({ to: "/", activeOptions: { exact: true, includeSearch: false } }),
      },
      { label: "Notifications", Icon: Bell, link: linkOptions({ to: "/notifications" }) },
      { label: "Templates", Icon: FileText, link: linkOptions({ to: "/templates" }) },
      { label: "Schedules", Icon: CalendarDays, link: linkOptions({ to: "/schedules" }) },
      { label: "Help", Icon: CircleQuestionMark, link: linkOptions({ to: "/help" }) },
    ],
  },
  {
    heading: "Administration",
    links: [
      { label: "User Management", Icon: UsersRound, link: linkOptions({ to: "/users" }) },
      { label: "Settings", Icon: Settings, link: linkOptions({ to: "/settings" }) },
      { label: "Integrations", Icon: Plug, link: linkOptions({ to: "/integrations" }) },
    ],
  },
];

/** The sidebar for tenants: only what they can open. */
export const tenantNavigation = [
  {
    heading: "Main",
    links: [
      {
        label: "Notices",
        Icon: Bell,
        link: linkOptions({ to: "/", activeOptions: { exact: true, includeSearch: false } }),
      },
      { label: "Profile", ...profileLink },
      { label: "Help", Icon: CircleQuestionMark, link: linkOptions({ to: "/help" }) },
    ],
  },
];
