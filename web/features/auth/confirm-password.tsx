import { useEffect, useState } from "react";
import { whenPasswordRequired } from "#web/api/client.ts";
import { lazyDialog } from "#web/ui/lazy-dialog.tsx";

type Answer = (confirmed: boolean) => void;

const question = lazyDialog(() => import("#web/features/auth/password-question.tsx"));

/** Asks for the password when a call needs it again, and lets the call go on. Several at once share the question. */
export function ConfirmPassword() {
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
    <question.Dialog
      open={answer !== undefined}
      onOpenChange={() => answer?.(false)}
      onConfirmed={() => answer?.(true)}
    />
  );
}
