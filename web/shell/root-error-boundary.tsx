import { LogIn } from "lucide-react";
import { Component, useSyncExternalStore, type ReactNode } from "react";
import { reachability } from "#web/api/reachability.ts";
import { ReloadButton } from "#web/shell/reload-button.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ErrorState } from "#web/ui/feedback/error-state.tsx";

/** Catches everything else: code that could not be loaded, or a bug. Its Retry button reloads the page. */
export class RootErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    return (
      <main className="grid min-h-dvh place-items-center">
        <ErrorState
          title="We couldn't show Porchlight"
          detail="Part of it couldn't be loaded, or something went wrong on our side. What you wrote is kept in this browser."
          onRetry={() => window.location.reload()}
        />
      </main>
    );
  }
}

/** Shown if the first request to the server gets no answer, or if a sign-in in front of it answers. */
export function Unreachable({ onRetry }: { onRetry: () => void }) {
  const signIn = useSyncExternalStore(reachability.subscribe, reachability.signInInFront);
  return (
    <main className="grid min-h-dvh place-items-center">
      {signIn ? (
        <EmptyState
          icon={<LogIn />}
          title="Sign in again"
          hint="Your company's sign-in or the network wants you to sign in again. Reload the page to do that. Nothing is lost."
          action={<ReloadButton />}
        />
      ) : (
        <ErrorState
          title="The server cannot be reached"
          detail="Check your connection, or wait until the server is back. Nothing is lost."
          onRetry={onRetry}
        />
      )}
    </main>
  );
}
