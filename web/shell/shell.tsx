import { Outlet, useLocation, useMatches } from "@tanstack/react-router";
import { Suspense, useCallback, useDeferredValue, useEffect, useRef, useState, type ReactNode } from "react";
import { may } from "#contract/permissions.ts";
import { useMay, usePrincipal, useSession, useUser } from "#web/api/session.ts";
import { forgetOldDrafts } from "#web/api/this-browser.ts";
import { KeptHere } from "#web/domain/unsent/replaced-runs.ts";
import { outboxes } from "#web/features/outbox/browser.ts";
import { useOutbox } from "#web/pages/use-unsent.tsx";
import { OutboxSender } from "#web/features/outbox/outbox-sender.tsx";
import { AccessDenied } from "#web/pages/access-denied.tsx";
import { WriteTo } from "#web/pages/write-to.tsx";
import { Banners } from "#web/shell/banners.tsx";
import { Header } from "#web/shell/header.tsx";
import { FollowServer } from "#web/shell/follow-server.ts";
import { useKeepAsking } from "#web/shell/keep-asking.ts";
import { useShellState } from "#web/shell/shell-state.ts";
import { Sidebar } from "#web/shell/sidebar.tsx";
import { SpinnerPage } from "#web/ui/feedback/spinner.tsx";
import { TooltipProvider } from "#web/ui/feedback/tooltip.tsx";
import { ZoneProvider } from "#web/ui/time/when.tsx";
import { reachability } from "#web/api/reachability.ts";
import { lookForUpdate } from "#web/shell/version.ts";
import { fetchRemainingCode } from "#web/load-chunk.ts";
import { whenPartMissing } from "#web/ui/browser/lazy-part.ts";

/** Header and sidebar around every screen of the console. */
export function Shell() {
  // The router renders a new location in one piece. The frame follows in short steps between which the browser can respond.
  return useDeferredValue(true, false) ? <Frame /> : <SpinnerPage alone />;
}

function Frame() {
  useKeepAsking();
  useEffect(() => forgetOldDrafts(Date.now()), []);
  const { open, show, close, sidebar, menuButton } = useSlidingSidebar();
  const main = useFocusOnArrival();
  const user = useUser();
  const session = useSession();
  const over = session.state === "signed-in" && session.ended !== undefined;
  const principal = usePrincipal();
  const maySend = useMay("messages:send");
  useRemainingCode(useMay("console"));
  const { needs, alone } = useMatches({ select: (matches) => matches.at(-1)?.staticData ?? {} });
  // The screen is rendered after its frame, in short steps between which the browser can respond.
  const ready = useDeferredValue(true, false);
  const denied = needs && !may(principal, needs);
  if (alone && !denied) {
    return (
      <TooltipProvider>
        <Suspense fallback={<SpinnerPage alone />}>{ready && <Outlet />}</Suspense>
      </TooltipProvider>
    );
  }
  return (
    <TooltipProvider>
      <OrganizationZone>
        {user && <OutboxSender userId={user.id} delivers={maySend && !over} />}
        <a
          href="#main"
          className="fixed top-2 left-2 z-100 -translate-y-20 rounded-md bg-ink px-4 py-2 font-medium text-on-ink focus:translate-y-0 print:hidden"
        >
          Skip to content
        </a>
        <Sidebar open={open} onClose={close} ref={sidebar} />
        <div className="flex min-h-dvh min-w-0 flex-col md:pl-64 print:block print:pl-0" inert={open}>
          <Header menuOpen={open} onMenu={show} menuButton={menuButton} />
          <main
            id="main"
            ref={main}
            tabIndex={-1}
            className="mx-auto w-full max-w-[88rem] flex-1 px-4 py-6 outline-none md:px-7 md:py-8 print:max-w-none print:p-0"
          >
            <Banners />
            <Suspense fallback={<SpinnerPage />}>
              {!ready && <SpinnerPage />}
              {ready && (denied ? <AccessDenied needs={needs} /> : <Screen />)}
              {ready && <FollowServer />}
            </Suspense>
          </main>
          {maySend && <WriteTo />}
        </div>
      </OrganizationZone>
    </TooltipProvider>
  );
}

function Screen() {
  return (
    <KeptHere value={useOutbox(outboxes.notifications)}>
      <Outlet />
    </KeptHere>
  );
}

/** Apart from the frame, which would otherwise be rendered again when the zone is known. */
function OrganizationZone({ children }: { children: ReactNode }) {
  return <ZoneProvider zone={useShellState().data?.timeZone}>{children}</ZoneProvider>;
}

/** Below 768 px, the focus moves into the sidebar when it opens, and back to the button when it closes. */
function useSlidingSidebar() {
  const [open, setOpen] = useState(false);
  const sidebar = useRef<HTMLElement>(null);
  const menuButton = useRef<HTMLButtonElement>(null);
  const close = useCallback(() => setOpen(false), []);
  useEffect(() => {
    if (!open) return undefined;
    sidebar.current?.focus();
    const wide = window.matchMedia("(min-width: 48rem)");
    const [panel, button] = [sidebar.current, menuButton.current];
    const onKey = (event: KeyboardEvent) => {
      if (event.key === "Escape") close();
    };
    document.addEventListener("keydown", onKey);
    wide.addEventListener("change", close);
    return () => {
      document.removeEventListener("keydown", onKey);
      wide.removeEventListener("change", close);
      if (panel?.contains(document.activeElement)) button?.focus();
    };
  }, [open, close]);
  return { open, show: () => setOpen(true), close, sidebar, menuButton };
}

/** A new screen gets the focus, so that keyboards and screen readers start at its top. */
function useFocusOnArrival() {
  const main = useRef<HTMLElement>(null);
  const pathname = useLocation({ select: (location) => location.pathname });
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    main.current?.focus({ preventScroll: true });
  }, [pathname]);
  return main;
}

/** After this time, the first screen has what it needs. */
const FIRST_SCREEN_MS = 4000;

/**
 * Fetches all screens and dialogs once the page is idle, so that they work during an outage. After a failure, it checks for
 * a newer version on the server, and tries again when the server can be reached.
 */
function useRemainingCode(wanted: boolean) {
  useEffect(() => whenPartMissing(() => void lookForUpdate()), []);
  useEffect(() => {
    if (!wanted) return undefined;
    const fetchAll = () => void fetchRemainingCode().catch(() => void lookForUpdate());
    const timer = setTimeout(fetchAll, FIRST_SCREEN_MS);
    const unwatch = reachability.subscribe(() => {
      if (reachability.get()) fetchAll();
    });
    return () => {
      clearTimeout(timer);
      unwatch();
    };
  }, [wanted]);
}
