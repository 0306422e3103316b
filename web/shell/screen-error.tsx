import { useRouter } from "@tanstack/react-router";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { ErrorState } from "#web/ui/error-state.tsx";

/** A screen that broke, or whose code could not be loaded; the frame around it stays. */
export function ScreenError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  return (
    <ErrorState
      title="This screen could not be shown"
      detail={error instanceof Error ? error.message : undefined}
      onRetry={() => {
        reset();
        void router.invalidate();
      }}
    />
  );
}
