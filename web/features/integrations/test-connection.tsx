import { PlugZap } from "lucide-react";
import { CancelledError } from "#web/api/call-errors.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { Button, type ButtonVariant } from "#web/ui/page/button.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

type Props = {
  busy: boolean;
  variant?: ButtonVariant;
  /** Asks the provider; `reason` is its own. */
  test: () => Promise<{ ok: boolean; reason: string }>;
  /** Told instead of a toast where the server names the fields that are wrong. */
  onError?: (error: unknown) => boolean;
};

/** Asks the provider whether it would take messages, and says what it answered. */
export function TestConnection({ busy, variant = "outline", test, onError }: Props) {
  const run = async () => {
    try {
      const { ok, reason } = await test();
      toast(
        ok
          ? { title: "Connection Successful", description: reason }
          : { title: "Connection Failed", description: reason, variant: "destructive" },
      );
    } catch (error) {
      if (error instanceof CancelledError || onError?.(error)) return;
      const description = reasonOf(error);
      toast({ title: "Connection Failed", description, variant: "destructive" });
    }
  };
  return (
    <Button variant={variant} busy={busy} icon={<PlugZap aria-hidden />} onClick={() => void run()}>
      Test Connection
    </Button>
  );
}
