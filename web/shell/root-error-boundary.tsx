import { Component, type ReactNode } from "react";
import { ErrorState } from "#web/ui/error-state.tsx";

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

/** Shown if the first request to the server gets no answer. */
export function Unreachable({ onRetry }: { onRetry: () => void }) {
  return (
    <main className="grid min-h-dvh place-items-center">
      <ErrorState
        title="The server cannot be reached"
        detail="Check your connection, or wait until the server is back. Nothing is lost."
        onRetry={onRetry}
      />
    </main>
  );
}
