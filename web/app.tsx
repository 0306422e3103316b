import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider, createRootRoute, createRoute, createRouter, redirect } from "@tanstack/react-router";
import { Activity, lazy, use, useEffect, useState, type ComponentType } from "react";
import type { Permission } from "#contract/permissions.ts";
import { isolated } from "#contract/text/isolate.ts";
import { whenPasswordRequired } from "#web/api/client.ts";
import { isHeld, sessionStore, signedOut, type Session } from "#web/api/session.ts";
import { detailSearch } from "#web/features/notifications/detail/delivery-query.ts";
import {
  auditSearch,
  dashboardSearch,
  helpSearch,
  integrationsSearch,
  notificationsSearch,
  settingsSearch,
  templatesSearch,
} from "#web/pages/page-search.ts";
import { NotFound } from "#web/pages/not-found.tsx";
import { propertiesSearch, propertySearch } from "#web/pages/properties-search.ts";
import { schedulesSearch } from "#web/pages/schedules-search.ts";
import { usersSearch } from "#web/pages/users-search.ts";
import { writeSearch } from "#web/pages/write-search.ts";
import { leaveForGood } from "#web/shell/address.ts";
import { createHistory } from "#web/shell/history.ts";
import { ScreenError } from "#web/shell/screen-error.tsx";
import { Shell } from "#web/shell/shell.tsx";
import { prefetchShellState } from "#web/shell/shell-state.ts";
import { SpinnerPage } from "#web/ui/feedback/spinner.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { prefetchToasts } from "#web/ui/feedback/toasts.tsx";
import { lazyDialog } from "#web/ui/dialog/lazy-dialog.tsx";
import { lazyPart } from "#web/ui/browser/lazy-part.ts";

const ExpiredPassword = lazy(() => import("#web/pages/expired-password.tsx"));
const SetUpTwoFactor = lazy(() => import("#web/pages/set-up-two-factor.tsx"));

const root = createRootRoute({ validateSearch: writeSearch, component: Shell, notFoundComponent: NotFound });

const routes = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: "/",
    validateSearch: dashboardSearch,
    component: lazyScreen(async () => (await import("#web/pages/dashboard.tsx")).DashboardPage),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/welcome",
    staticData: { needs: "settings:write", alone: true },
    component: lazyScreen(async () => (await import("#web/pages/welcome.tsx")).WelcomePage),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/notifications",
    staticData: { needs: "messages:read" },
    validateSearch: notificationsSearch,
    component: lazyScreen(async () => (await import("#web/pages/notifications.tsx")).NotificationsPage),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/notifications/$id",
    staticData: { needs: "messages:read" },
    validateSearch: detailSearch,
    component: lazyScreen(async () => (await import("#web/pages/notification.tsx")).NotificationPage),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/templates",
    staticData: { needs: "messages:read" },
    validateSearch: templatesSearch,
    component: lazyScreen(async () => (await import("#web/pages/templates.tsx")).TemplatesPage),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/schedules",
    staticData: { needs: "messages:read" },
    validateSearch: schedulesSearch,
    component: lazyScreen(async () => (await import("#web/pages/schedules.tsx")).SchedulesPage),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/properties",
    staticData: { needs: "people:read" },
    validateSearch: propertiesSearch,
    component: lazyScreen(async () => (await import("#web/pages/properties.tsx")).PropertiesPage),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/properties/$id",
    staticData: { needs: "people:read" },
    validateSearch: propertySearch,
    component: lazyScreen(async () => (await import("#web/pages/property.tsx")).PropertyPage),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/users",
    staticData: { needs: "people:read" },
    validateSearch: usersSearch,
    component: lazyScreen(async () => (await import("#web/pages/users.tsx")).UsersPage),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/settings",
    staticData: { needs: "settings:read" },
    validateSearch: settingsSearch,
    component: lazyScreen(async () => (await import("#web/pages/settings.tsx")).SettingsPage),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/settings/audit",
    staticData: { needs: "audit:read" },
    validateSearch: auditSearch,
    component: lazyScreen(async () => (await import("#web/pages/audit.tsx")).AuditPage),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/integrations",
    staticData: { needs: "integrations:read" },
    validateSearch: integrationsSearch,
    component: lazyScreen(async () => (await import("#web/pages/integrations.tsx")).IntegrationsPage),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/help",
    validateSearch: helpSearch,
    component: lazyScreen(async () => (await import("#web/pages/help.tsx")).HelpPage),
  }),
  createRoute({
    getParentRoute: () => root,
    path: "/profile",
    component: lazyScreen(async () => (await import("#web/pages/profile.tsx")).ProfilePage),
  }),
  // Everyone here is signed in; the sign-in page itself is outside the router (main.tsx).
  createRoute({
    getParentRoute: () => root,
    path: "/auth",
    beforeLoad: () => {
      // At logout this router still sees the URL change.
      if (sessionStore.get().state === "signed-in") throw redirect({ to: "/", replace: true });
    },
  }),
]);

function createAppRouter() {
  return createRouter({
    routeTree: routes,
    history: createHistory(),
    // Otherwise a page still gets what its validateSearch leaves out: ?edit=abc, ?page=x.
    search: { strict: true },
    defaultPreload: "intent",
    defaultPendingComponent: SpinnerPage,
    defaultErrorComponent: ScreenError,
    scrollRestoration: true,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
  interface StaticDataRouteOption {
    /** Without this permission, people see the Access Denied page instead. */
    needs?: Permission;
    /** Shown without the header and the sidebar. */
    alone?: true;
  }
}

type SignedIn = Extract<Session, { state: "signed-in" }>;
type Workspace = { serial: number; router: ReturnType<typeof createAppRouter>; queries: QueryClient };
let workspace: Workspace | undefined;

/** Router and cache belong to one sign-in: nothing that one person loaded is left for the next. */
function workspaceOf({ serial, user }: SignedIn): Workspace {
  if (workspace?.serial === serial) return workspace;
  workspace?.router.history.destroy();
  workspace = {
    serial,
    router: createAppRouter(),
    queries: new QueryClient({
      defaultOptions: {
        queries: { staleTime: Infinity, retry: false, refetchOnWindowFocus: false, networkMode: "always" },
        mutations: { retry: false, networkMode: "always" },
      },
    }),
  };
  if (!isHeld(user)) prefetchShellState(workspace.queries);
  return workspace;
}

export default function App({ session }: { session: SignedIn }) {
  const { router, queries } = workspaceOf(session);
  const { passwordExpired, firstName } = session.user;
  const held = isHeld(session.user);
  useEffect(prefetchToasts, []);
  const { elsewhere = false } = session;
  useEffect(() => {
    if (!elsewhere) return;
    const description = "Someone signed in with this account in another tab, so this page is theirs now.";
    toast({ title: `Signed in as ${isolated(firstName)}`, description });
  }, [elsewhere, firstName]);
  useEffect(() => {
    if (!held) return undefined;
    // Meanwhile no event was heard, and every read was refused.
    return () => void queries.invalidateQueries();
  }, [held, queries]);
  return (
    <QueryClientProvider client={queries}>
      {passwordExpired ? <ExpiredPassword user={session.user} /> : held && <SetUpTwoFactor />}
      {/* Hidden rather than left: what is typed on a screen or in a dialog is still there afterwards. */}
      <Activity mode={held ? "hidden" : "visible"}>
        <RouterProvider router={router} />
      </Activity>
      <ConfirmPassword />
      <signInAgain.Dialog open={session.ended !== undefined} onOpenChange={leave} />
    </QueryClientProvider>
  );
}

const signInAgain = lazyDialog(() => import("#web/features/auth/sign-in-again.tsx"));

/** Gives up a page whose session is over. */
function leave() {
  leaveForGood();
  signedOut();
}

type Answer = (confirmed: boolean) => void;

const passwordQuestion = lazyDialog(() => import("#web/features/auth/password-question.tsx"));

/** Asks for the password when a call needs it again, and lets the call go on. Several at once share the question. */
function ConfirmPassword() {
  const [answer, setAnswer] = useState<Answer>();
  useEffect(() => {
    let asking: Promise<boolean> | undefined;
    return whenPasswordRequired(() => {
      asking ??= new Promise<boolean>((resolve) => setAnswer(() => resolve)).finally(() => {
        asking = undefined;
        setAnswer(undefined);
      });
      return asking;
    });
  }, []);
  return (
    <passwordQuestion.Dialog
      open={answer !== undefined}
      onOpenChange={() => answer?.(false)}
      onConfirmed={() => answer?.(true)}
    />
  );
}

/**
 * A screen whose code is loaded with the first visit, or earlier by `preload`. Not the router's own lazy component:
 * when code cannot be loaded, that one reloads the whole page, and while the server is down nothing would be left of
 * the page, of what is typed in it, and of the outbox.
 */
function lazyScreen(importScreen: () => Promise<ComponentType>) {
  const part = lazyPart(importScreen);
  let latest: Promise<unknown> | undefined;
  // The router calls this before each visit, so a failed attempt is repeated there.
  const preload = async () => {
    latest = part.load();
    await latest;
  };

  function Screen() {
    if (!part.loaded) use(latest ?? preload());
    return part.loaded && <part.loaded />;
  }
  return Object.assign(Screen, { preload });
}
