import { Link } from "@tanstack/react-router";
import { CircleQuestionMark, CircleUserRound, LogOut, Monitor, Moon, Settings, Sun } from "lucide-react";
import { useMay, useSession } from "#web/api/session.ts";
import { logOut } from "#web/shell/log-out.ts";
import { setTheme, themes, useTheme, type Theme } from "#web/shell/theme.ts";
import { Avatar, personName } from "#web/domain/avatar.tsx";
import { roleLook } from "#web/domain/role-badge.tsx";
import {
  Menu,
  MenuContent,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuRadioItem,
  MenuSeparator,
  MenuTrigger,
} from "#web/ui/page/menu.tsx";

const themeLook = {
  light: { label: "Light", Icon: Sun },
  dark: { label: "Dark", Icon: Moon },
  system: { label: "System", Icon: Monitor },
};

/** The avatar and the menu for profile, theme and logout. */
export function UserMenu() {
  const session = useSession();
  const seesSettings = useMay("settings:read");
  const theme = useTheme();
  const loading = session.state === "loading";
  const user = session.state === "signed-in" ? session.user : undefined;
  const name = personName(user, loading);
  return (
    <Menu>
      <MenuTrigger>
        <button
          type="button"
          className="flex h-9 min-w-9 items-center justify-center gap-2 rounded-full touch:h-11 touch:min-w-11 lg:pr-2"
        >
          <Avatar person={user} loading={loading} />
          <span aria-hidden className="max-w-40 truncate text-sm font-medium max-lg:hidden">
            <bdi translate="no">{name}</bdi>
          </span>
          <span className="sr-only">
            <bdi translate="no">{name}</bdi>, your menu
          </span>
        </button>
      </MenuTrigger>
      <MenuContent className="w-60">
        <div className="flex items-center gap-3 px-2.5 py-2">
          <Avatar person={user} loading={loading} className="size-9" />
          <div className="min-w-0">
            <p className="truncate text-sm font-semibold">
              <bdi translate="no">{name}</bdi>
            </p>
            {user && <p className="truncate text-[0.8125rem] text-ink-3">{roleLook[user.role].label}</p>}
          </div>
        </div>
        <MenuSeparator />
        <MenuItem asChild>
          <Link to="/profile">
            <CircleUserRound aria-hidden />
            My Profile
          </Link>
        </MenuItem>
        {seesSettings && (
          <MenuItem asChild>
            <Link to="/settings">
              <Settings aria-hidden />
              Settings
            </Link>
          </MenuItem>
        )}
        <MenuItem asChild>
          <Link to="/help">
            <CircleQuestionMark aria-hidden />
            Help & Documentation
          </Link>
        </MenuItem>
        <MenuSeparator />
        <MenuLabel>Theme</MenuLabel>
        <MenuRadioGroup value={theme} onValueChange={(value) => setTheme(value as Theme)}>
          {themes.map((value) => {
            const { label, Icon } = themeLook[value];
            return (
              <MenuRadioItem key={value} value={value} onSelect={(event) => event.preventDefault()}>
                <Icon aria-hidden className="text-ink-3" />
                {label}
              </MenuRadioItem>
            );
          })}
        </MenuRadioGroup>
        <MenuSeparator />
        <MenuItem onSelect={logOut}>
          <LogOut aria-hidden />
          Log out
        </MenuItem>
      </MenuContent>
    </Menu>
  );
}
