import { Fingerprint, LifeBuoy, Smartphone } from "lucide-react";
import { useState } from "react";
import type { SecondFactor } from "#contract/calls/auth.ts";
import { call } from "#web/api/client.ts";
import { ApiError } from "#web/api/call-errors.ts";
import { reasonWithoutStatus } from "#web/api/reason-of.ts";
import { showFieldErrors } from "#web/api/field-errors.ts";
import { finishSignIn } from "#web/features/auth/finish-sign-in.ts";
import { focusOnArrival, useFirstFocus } from "#web/features/auth/first-focus.ts";
import { signInRules } from "#web/features/auth/lazy-rules.ts";
import { signInWithPasskey } from "#web/features/auth/passkey-sign-in.ts";
import { Explained } from "#web/features/auth/sign-in-layout.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

/** A sign-in whose password was right. */
export type PendingSignIn = {
  factors: SecondFactor[];
  /** Hosts of passkeys that don't work here. */
  passkeysElsewhere?: string[] | undefined;
  sharedComputer: boolean;
};

type Props = PendingSignIn & {
  passkeysWork: boolean;
  /** Back to the password, because the person says so or because it took too long. */
  onBack: () => void;
};

const ways = {
  app: { label: "Use your authenticator app", Icon: Smartphone },
  passkey: { label: "Use a passkey", Icon: Fingerprint },
  recovery: { label: "Use a recovery code", Icon: LifeBuoy },
};

/** The second step of a sign-in: one of the person's factors, and a way to the others. */
export function SecondStep({ factors, passkeysElsewhere, sharedComputer, passkeysWork, onBack }: Props) {
  const usable = factors.filter((factor) => factor !== "passkey" || passkeysWork);
  const [by, setBy] = useState<SecondFactor>(usable[0] ?? "recovery");
  const [busy, setBusy] = useState(false);

  const failed = (error: unknown) => {
    const expired = error instanceof ApiError && error.code === "sign-in-expired";
    const description = reasonWithoutStatus(error);
    toast({ title: "Login failed", description, variant: "destructive" });
    if (expired) onBack();
  };
  const withPasskey = async () => {
    setBusy(true);
    try {
      const user = await signInWithPasskey({ alone: false, sharedComputer });
      if (user) finishSignIn(user, sharedComputer);
    } catch (error) {
      failed(error);
    } finally {
      setBusy(false);
    }
  };

  return (
    <div className="animate-fade">
      <Explained heading="Two-factor authentication">
        {by === "app" && "Enter the 6-digit code from your authenticator app."}
        {by === "recovery" && "Enter one of the recovery codes you saved. Each one works once."}
        {by === "passkey" && "Use the passkey on this device or on your phone."}
      </Explained>
      {by === "passkey" ? (
        <Button
          ref={focusOnArrival}
          variant="ink"
          size="lg"
          className="w-full"
          busy={busy}
          onClick={() => void withPasskey()}
        >
          Continue with passkey
        </Button>
      ) : (
        <CodeForm key={by} by={by} sharedComputer={sharedComputer} onFailed={failed} />
      )}
      <div className="mt-6 flex flex-col gap-2 border-t border-line pt-5">
        {usable
          .filter((factor) => factor !== by)
          .map((factor) => {
            const { label, Icon } = ways[factor];
            return (
              <Button key={factor} icon={<Icon aria-hidden />} onClick={() => setBy(factor)}>
                {label}
              </Button>
            );
          })}
        <Button variant="ghost" onClick={onBack}>
          Back to sign in
        </Button>
      </div>
      {passkeysElsewhere && (
        <p className="mt-4 text-sm text-ink-2">
          Your passkey for {passkeysElsewhere.join(" and ")} doesn't work at this address. Once you're signed
          in, add a new one on your profile.
        </p>
      )}
      {!factors.includes("recovery") && (
        <p className="mt-4 text-sm text-ink-3">
          No recovery codes left? An administrator can reset your two-factor authentication.
        </p>
      )}
    </div>
  );
}

type Fields = { by: "app" | "recovery"; code: string };
const resolver = signInRules.resolver<Fields>((rules) => rules.secondStepRules);
type FormProps = {
  by: Fields["by"];
  sharedComputer: boolean;
  onFailed: (error: unknown) => void;
};

function CodeForm({ by, sharedComputer, onFailed }: FormProps) {
  const form = useCheckedForm<Fields>({ resolver, defaultValues: { by, code: "" } });
  const { errors, isSubmitting } = form.formState;
  useFirstFocus(() => form.setFocus("code"));

  async function submit(body: Fields) {
    try {
      const { secondStep } = await signInRules.load();
      finishSignIn(await call(secondStep.code, { body }), sharedComputer);
    } catch (error) {
      if (!showFieldErrors(form, error)) onFailed(error);
    }
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-4.5"
      onSubmit={(event) => void form.handleSubmit(submit)(event)}
    >
      <Field label={by === "app" ? "Code" : "Recovery code"} error={errors.code?.message}>
        {(wiring) => (
          <Input
            {...wiring}
            {...form.register("code")}
            inputSize="lg"
            inputMode={by === "app" ? "numeric" : "text"}
            autoComplete={by === "app" ? "one-time-code" : "off"}
            autoCapitalize={by === "app" ? "none" : "characters"}
            autoCorrect="off"
            spellCheck={false}
          />
        )}
      </Field>
      <Button type="submit" variant="ink" size="lg" busy={isSubmitting} className="w-full">
        Verify
      </Button>
    </form>
  );
}
