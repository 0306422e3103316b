import { CircleAlert, PlugZap } from "lucide-react";
import { useState } from "react";
import { CancelledError } from "#web/api/call-errors.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { Button, type ButtonVariant } from "#web/ui/page/button.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

type Props = {
  busy: boolean;
  variant?: ButtonVariant;
  /** Asks the provider; `reason` is its own. */
  test: () => Promise<{ ok: boolean; reason: string }>;
  /** Told instead of shown where the server names the fields that are wrong. */
  onError?: (error: unknown) => boolean;
};

/** Asks the provider whether it would take messages. Why it wouldn't stays in the row above the button. */
export function TestConnection({ busy, variant = "outline", test, onError }: Props) {
  const [failure, setFailure] = useState<string>();
  const run = async () => {
    try {
      const { ok, reason } = await test();
      setFailure(ok ? undefined : reason);
      if (ok) toast({ title: "Connection Successful", description: reason });
    } catch (error) {
      const told = error instanceof CancelledError || onError?.(error);
      setFailure(told ? undefined : reasonOf(error));
    }
  };
  return (
    <>
      {failure !== undefined && !busy && (
        <div
          role="alert"
          className="order-first flex basis-full items-start gap-2.5 rounded-md bg-warn-soft px-3.5 py-3 text-sm"
        >
          <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
          <div className="min-w-0">
            <p className="font-semibold">Connection Failed</p>
            <p className="break-words">{failure}</p>
          </div>
        </div>
      )}
      <Button variant={variant} busy={busy} icon={<PlugZap aria-hidden />} onClick={() => void run()}>
        Test Connection
      </Button>
    </>
  );
}
