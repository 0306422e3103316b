import { StrictMode, Suspense, lazy, useDeferredValue } from "react";
import { createRoot } from "react-dom/client";
import { dateFormat } from "#contract/text/locale.ts";
import { watchForActivity } from "#web/api/user-activity.ts";
import { keepSession, loadSession, sessionStore, signedOut, useSession } from "#web/api/session.ts";
import { fetchConsole, loadConsole } from "#web/pages/load-console.ts";
import { alignAddress, oneTimeLink } from "#web/shell/address.ts";
import { RootErrorBoundary, Unreachable } from "#web/shell/root-error-boundary.tsx";
import { followTheme } from "#web/shell/theme.ts";
import { leaveKeysToInputMethods } from "#web/ui/form/composition-keys.ts";
import { tolerateForeignChanges } from "#web/ui/browser/foreign-changes.ts";
import { SpinnerPage } from "#web/ui/feedback/spinner.tsx";
import { ignoreStrayClicks } from "#web/ui/dialog/stray-clicks.ts";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { Toasts } from "#web/ui/feedback/toasts.tsx";
import "#web/styles.css";

// Two halves, split here rather than in the router, so that the sign-in page carries neither router, query
// cache nor schemas. Only the session decides which half is mounted, and the address follows it. A one-time
// link comes first, no matter who is signed in, because it belongs to its recipient.
const SignIn = lazy(() => import("#web/pages/auth.tsx"));
const SetPassword = lazy(() => import("#web/pages/set-password.tsx"));
const ConfirmEmail = lazy(() => import("#web/pages/confirm-email.tsx"));
const App = lazy(loadConsole);

function Root() {
  const session = useSession();
  const link = oneTimeLink(window.location.pathname);
  const screen = link?.purpose ?? session.state;
  // React shows a Suspense fallback for 300 ms at least. Deferred, the code replaces this spinner as soon as it is here.
  const starting = useDeferredValue(screen, "loading") === "loading" && screen !== "unreachable";
  if (starting) return <SpinnerPage alone />;
  if (link?.purpose === "set-password") return <SetPassword token={link.token} />;
  if (link?.purpose === "confirm-email") return <ConfirmEmail token={link.token} />;
  if (session.state === "loading") return <SpinnerPage alone />;
  if (session.state === "unreachable") return <Unreachable onRetry={() => void start()} />;
  if (session.state === "signed-out") return <SignIn />;
  return <App key={session.serial} session={session} />;
}

async function start() {
  const problem = await loadSession();
  if (problem) toast({ title: problem, variant: "destructive" });
}

followTheme();
watchForActivity(window, keepSession);
ignoreStrayClicks(document);
leaveKeysToInputMethods(window);
tolerateForeignChanges(document);
sessionStore.subscribe(() => alignAddress(sessionStore.get()));
// A page restored from the browser's cache may belong to someone who has since signed out.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) void start();
});
if (document.documentElement.hasAttribute("data-signed-out")) {
  // The server saw no session in the request for the page, so asking would only be refused.
  signedOut();
} else {
  fetchConsole();
  void start();
  // Every screen has a time or a number. The first one takes 20 ms, or 80 of a phone's, to load the browser's data for it, so
  // that is done while the console is on its way.
  dateFormat().format();
}

const root = document.querySelector("#root");
if (!root) throw new Error("index.html has no #root");
createRoot(root).render(
  <StrictMode>
    <RootErrorBoundary>
      <Suspense fallback={<SpinnerPage alone />}>
        <Root />
      </Suspense>
    </RootErrorBoundary>
    <Toasts />
  </StrictMode>,
);
