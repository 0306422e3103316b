import { ErrorState } from "#web/ui/error-state.tsx";

/** Shown when the very first question to the server stayed unanswered. */
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
