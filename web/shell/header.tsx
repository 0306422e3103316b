import { isolated } from "#contract/text/isolate.ts";
import { counted } from "#contract/text/count-text.ts";
import { Link, linkOptions, type LinkOptions } from "@tanstack/react-router";
import { Bell, CircleQuestionMark, Menu as MenuIcon, Settings } from "lucide-react";
import type { ReactNode, Ref } from "react";
import { useMay } from "#web/api/session.ts";
import { useCompanyLogo } from "#web/domain/company-logo.ts";
import { useShellState, useUnseenFailures } from "#web/shell/shell-state.ts";
import { Palette } from "#web/shell/palette/palette.tsx";
import { UserMenu } from "#web/shell/user-menu.tsx";
import { ShieldMark } from "#web/ui/page/brand.tsx";
import { buttonClass } from "#web/ui/page/button.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { useSiteTitle } from "#web/ui/page/page-title.ts";
import { Tooltip } from "#web/ui/feedback/tooltip.tsx";

type Props = { menuOpen: boolean; onMenu: () => void; menuButton: Ref<HTMLButtonElement> };

export function Header({ menuOpen, onMenu, menuButton }: Props) {
  const seesSettings = useMay("settings:read");
  return (
    <header className="sticky top-0 z-30 flex h-15 items-center gap-1 border-b border-line bg-paper px-2 md:px-7 print:hidden">
      <button
        type="button"
        ref={menuButton}
        className={cx(buttonClass({ variant: "ghost", size: "icon" }), "md:hidden [&_svg]:size-5.5!")}
        aria-label="Menu"
        aria-expanded={menuOpen}
        aria-controls="sidebar"
        onClick={onMenu}
      >
        <MenuIcon aria-hidden />
      </button>
      <Brand />
      <Palette />
      <div className="md:ml-auto flex items-center gap-0.5 md:gap-1">
        <BellLink />
        <span className="contents max-md:hidden">
          {seesSettings && (
            <IconLink label="Settings" link={linkOptions({ to: "/settings" })}>
              <Settings aria-hidden />
            </IconLink>
          )}
          <IconLink label="Help & Documentation" link={linkOptions({ to: "/help" })}>
            <CircleQuestionMark aria-hidden />
          </IconLink>
        </span>
        <span className="md:ml-1.5">
          <UserMenu />
        </span>
      </div>
    </header>
  );
}

function BellLink() {
  const unseen = useUnseenFailures();
  const inConsole = useMay("console");
  const news = [
    unseen.failures > 0 && counted(unseen.failures, "new failure"),
    unseen.replies > 0 && counted(unseen.replies, "new reply", "new replies"),
  ].filter(Boolean);
  const label = ["Notifications", ...news].join(", ");
  return (
    <IconLink label={label} link={inConsole ? unseen.link : linkOptions({ to: "/" })}>
      <Bell aria-hidden />
      {news.length > 0 && (
        <span
          aria-hidden
          className="absolute top-2 right-2 size-1.5 rounded-full bg-bad ring-2 ring-paper touch:top-2.5 touch:right-2.5"
        />
      )}
    </IconLink>
  );
}

type IconLinkProps = { label: string; link: LinkOptions; children: ReactNode };

function IconLink({ label, link, children }: IconLinkProps) {
  return (
    <Tooltip content={label}>
      <Link
        {...link}
        aria-label={label}
        className={cx(
          buttonClass({ variant: "ghost", size: "icon" }),
          "relative [&_svg]:size-4.5! touch:[&_svg]:size-5.5!",
        )}
      >
        {children}
      </Link>
    </Tooltip>
  );
}

function Brand() {
  const logo = useCompanyLogo();
  const { data, isError } = useShellState();
  const inConsole = useMay("console");
  const name = data?.siteName ?? (isError ? "Porchlight" : "");
  useSiteTitle(data?.siteName);
  return (
    <Link
      to="/"
      aria-label={`${isolated(name)}, ${inConsole ? "dashboard" : "notices"}`}
      className="flex min-w-0 items-center gap-2.5 rounded-md touch:min-h-11"
    >
      <span className="grid size-10 shrink-0 place-items-center overflow-hidden rounded-md">
        {logo ? (
          <img src={logo} alt="" width={40} height={40} className="size-10 object-contain" />
        ) : (
          <ShieldMark className="size-8" />
        )}
      </span>
      <span className="truncate text-base font-semibold tracking-tight">
        <bdi translate="no">{name}</bdi>
      </span>
    </Link>
  );
}
