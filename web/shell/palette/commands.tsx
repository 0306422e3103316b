import { linkOptions } from "@tanstack/react-router";
import { BookOpen, LogOut, Monitor, Moon, Sun, type LucideIcon } from "lucide-react";
import { may, type Principal } from "#contract/permissions.ts";
import { placesFor, type Place } from "#web/domain/places.ts";
import { staffSections } from "#web/features/help/staff-topics.ts";
import { tenantSections } from "#web/features/help/tenant-topics.ts";
import { matchingTopics } from "#web/features/help/topics.ts";
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

const at = (place: Place, strong = false): PaletteItem => ({
  key: `${strong ? "do" : "go"} ${place.label}`,
  label: place.label,
  ...(place.words && { words: place.words }),
  icon: <Tile Icon={place.Icon} strong={strong} />,
  link: place.link,
});

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
export const actionsFor = (principal: Principal | null): PaletteItem[] => [
  ...placesFor(principal, "actions").map((action) => at(action, true)),
  ...ownActions,
];

/** The screens that can be opened. */
export const screensFor = (principal: Principal | null): PaletteItem[] =>
  placesFor(principal, "screens").map((screen) => at(screen));

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
