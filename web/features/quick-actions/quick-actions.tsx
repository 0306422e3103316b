import { Link, linkOptions } from "@tanstack/react-router";
import { ChevronRight, FileText, Plug, UsersRound } from "lucide-react";
import { Card, CardHeader } from "#web/ui/page/card.tsx";

const actions = [
  {
    label: "Manage Users",
    words: "Add, edit or remove tenant and staff users",
    Icon: UsersRound,
    link: linkOptions({ to: "/users" }),
  },
  {
    label: "Manage Templates",
    words: "Create and edit notification templates",
    Icon: FileText,
    link: linkOptions({ to: "/templates" }),
  },
  {
    label: "OneSignal Settings",
    words: "Configure API integration settings",
    Icon: Plug,
    link: linkOptions({ to: "/integrations" }),
  },
];

export function QuickActions() {
  return (
    <Card aria-labelledby="quick-actions">
      <CardHeader title={<span id="quick-actions">Quick Actions</span>} />
      <ul className="grid border-t border-line max-lg:divide-y max-lg:divide-line lg:grid-cols-3 lg:divide-x lg:divide-line">
        {actions.map(({ label, words, Icon, link }) => (
          <li key={label}>
            <Link
              {...link}
              className="group flex h-full items-center gap-3.5 px-4 py-4 transition-colors outline-offset-[-2px] hover:bg-hover"
            >
              <span
                aria-hidden
                className="grid size-9 shrink-0 place-items-center rounded-md bg-sunk text-ink-2"
              >
                <Icon className="size-4.5" strokeWidth={1.75} />
              </span>
              <span className="min-w-0 flex-1">
                <span className="block font-semibold">{label}</span>
                <span className="block text-sm text-ink-2">{words}</span>
              </span>
              <ChevronRight
                aria-hidden
                className="size-4 shrink-0 text-ink-3 transition-transform group-hover:translate-x-0.5"
              />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}
