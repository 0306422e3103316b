import { useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { Info } from "lucide-react";
import { useEffect, useEffectEvent } from "react";
import { reachability } from "#web/api/reachability.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { ReloadButton } from "#web/shell/reload-button.tsx";
import { useUpdated } from "#web/shell/version.ts";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ErrorState } from "#web/ui/feedback/error-state.tsx";
import { PartMissingError } from "#web/ui/browser/lazy-part.ts";

const RETRY_MS = 5000;

/** Replaces a screen that failed, or whose code could not be loaded. Header and sidebar stay. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const updated = useUpdated();
  const missing = error instanceof PartMissingError;
  const again = () => {
    reset();
    void router.invalidate();
  };
  const retry = useEffectEvent(() => {
    if (!missing || updated || document.hidden || !reachability.get()) return;
    // In the background: what is shown stays as it is until the code is there.
    error.load().then(again, () => undefined);
  });
  useEffect(() => {
    const stop = reachability.subscribe(() => retry());
    // A connection that broke only for a moment may have stopped nothing else.
    const timer = setInterval(() => retry(), RETRY_MS);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, []);
  if (missing && updated) {
    return (
      <EmptyState
        icon={<Info />}
        title="This screen needs a newer version"
        hint="Porchlight was updated since this page was opened. Unsent notifications are kept in this browser."
        action={<ReloadButton />}
      />
    );
  }
  return (
    <ErrorState
      title="We couldn't show this screen"
      detail={missing ? "It couldn't be loaded from the server. We'll retry automatically." : reasonOf(error)}
      onRetry={again}
    />
  );
}
