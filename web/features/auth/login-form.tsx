import { Fingerprint } from "lucide-react";
import { useState } from "react";
import type { LoginForm as Fields } from "#contract/calls/auth.ts";
import { call } from "#web/api/client.ts";
import { ApiError } from "#web/api/call-errors.ts";
import { showFieldErrors } from "#web/api/field-errors.ts";
import { sentenceOf } from "#web/api/reason-of.ts";
import { isShared } from "#web/api/this-browser.ts";
import { finishSignIn } from "#web/features/auth/finish-sign-in.ts";
import { useFirstFocus } from "#web/features/auth/first-focus.ts";
import { signInRules } from "#web/features/auth/lazy-rules.ts";
import { signInWithPasskey } from "#web/features/auth/passkey-sign-in.ts";
import type { PendingSignIn } from "#web/features/auth/second-step.tsx";
import { Checkbox } from "#web/ui/form/checkbox.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { PasswordInput } from "#web/ui/form/password-input.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

const resolver = signInRules.resolver<Fields>((rules) => rules.loginRules);

type Props = {
  /** The username of the person whose page this is over. */
  again?: string;
  /** The form was sent: what comes after signing in can load meanwhile. */
  onAttempt?: () => void;
  /** The password was right, and a second factor is needed. */
  onSecondStep: (pending: PendingSignIn) => void;
  passkeysWork: boolean;
};

export function LoginForm({ again, onAttempt = () => {}, onSecondStep, passkeysWork }: Props) {
  const form = useCheckedForm<Fields>({
    resolver,
    // What was chosen before holds for the page that was left open.
    defaultValues: { username: again ?? "", password: "", ...(again && { sharedComputer: isShared() }) },
  });
  const { errors, isSubmitting } = form.formState;
  const [waiting, setWaiting] = useState(false);
  useFirstFocus(() => form.setFocus(again ? "password" : "username"));

  async function submit(fields: Fields) {
    const { sharedComputer = false } = fields;
    onAttempt();
    try {
      const { auth } = await signInRules.load();
      const reply = await call(auth.login, { body: fields });
      if ("secondFactors" in reply) {
        const { secondFactors: factors, passkeysElsewhere } = reply;
        onSecondStep({ factors, passkeysElsewhere, sharedComputer });
      } else finishSignIn(reply, sharedComputer);
    } catch (error) {
      if (!showFieldErrors(form, error)) failed(error);
    }
  }

  async function withPasskey() {
    const { sharedComputer = false } = form.getValues();
    onAttempt();
    setWaiting(true);
    try {
      const user = await signInWithPasskey({ alone: true, sharedComputer });
      if (user) finishSignIn(user, sharedComputer);
    } catch (error) {
      failed(error);
    } finally {
      setWaiting(false);
    }
  }

  return (
    <form
      noValidate
      className="flex flex-col gap-4.5"
      onInput={() => void signInRules.load()}
      onSubmit={(event) => void form.handleSubmit(submit)(event)}
    >
      <Field label="Username" error={errors.username?.message}>
        {(wiring) => (
          <Input
            {...wiring}
            {...form.register("username")}
            inputSize="lg"
            autoComplete="username"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
          />
        )}
      </Field>
      <Field label="Password" error={errors.password?.message}>
        {(wiring) => (
          <PasswordInput
            {...wiring}
            {...form.register("password")}
            // Over a field that has the focus, the dialog moves it.
            data-autofocus={again && true}
            inputSize="lg"
            autoComplete="current-password"
          />
        )}
      </Field>
      {!again && (
        <Checkbox
          {...form.register("sharedComputer")}
          label="This is a shared computer"
          hint="We won't keep drafts or unsent messages."
        />
      )}
      <Button type="submit" variant="ink" size="lg" busy={isSubmitting} className="w-full">
        Sign In
      </Button>
      {passkeysWork && (
        <Button
          size="lg"
          className="w-full"
          icon={<Fingerprint aria-hidden />}
          busy={waiting}
          onClick={() => void withPasskey()}
        >
          Sign in with a passkey
        </Button>
      )}
      <p className="text-sm text-ink-2">
        Forgot your username or password? Ask your property manager to send you a link.
      </p>
    </form>
  );
}

function failed(error: unknown) {
  const description = sentenceOf(error, error instanceof ApiError ? "Invalid credentials" : "Login failed");
  toast({ title: "Login failed", description, variant: "destructive" });
}
