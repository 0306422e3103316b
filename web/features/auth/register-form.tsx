import { isolated } from "#contract/text/isolate.ts";
import type { RegisterForm as Fields } from "#contract/calls/auth.ts";
import { call } from "#web/api/client.ts";
import { ApiError, OfflineError } from "#web/api/call-errors.ts";
import { signedIn } from "#web/api/session.ts";
import type { AuthState } from "#web/features/auth/auth-state.ts";
import { showFieldErrors } from "#web/api/field-errors.ts";
import { useFirstFocus } from "#web/features/auth/first-focus.ts";
import { signInRules } from "#web/features/auth/lazy-rules.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { PasswordInput } from "#web/ui/form/password-input.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";
import { browserZone } from "#web/ui/time/format-time.ts";

const resolver = signInRules.resolver<Fields>((rules) => rules.registerRules);
const empty = { firstName: "", lastName: "", username: "", email: "", password: "", confirmPassword: "" };

type Props = {
  state: AuthState;
  /** No one is signed in: the message says what to do next. */
  onRegistered: (message: string) => void;
  /** The form was sent: what comes after signing in can load meanwhile. */
  onAttempt: () => void;
};

export function RegisterForm({ state, onRegistered, onAttempt }: Props) {
  const form = useCheckedForm<Fields>({
    resolver,
    defaultValues: state.setupCodeNeeded ? { ...empty, setupCode: "" } : empty,
  });
  const { errors, isSubmitting } = form.formState;
  useFirstFocus(() => form.setFocus("firstName"));

  async function submit(fields: Fields) {
    const { confirmPassword: _typedTwice, ...body } = fields;
    onAttempt();
    try {
      const { auth } = await signInRules.load();
      const { user, message } = await call(auth.register, {
        body: { ...body, ...(state.firstRun && { timeZone: browserZone() }) },
      });
      if (!user) return onRegistered(message);
      toast({ title: "Account created", description: `Welcome, ${isolated(user.firstName)}. ${message}` });
      // The first account; others are not signed in.
      window.history.replaceState(null, "", "/welcome");
      signedIn(user);
    } catch (error) {
      if (showFieldErrors(form, error)) return;
      toast({ title: "Registration failed", description: reason(error), variant: "destructive" });
    }
  }

  const name = (label: string, field: "firstName" | "lastName", autoComplete: string) => (
    <Field label={label} error={errors[field]?.message}>
      {(wiring) => <Input {...wiring} {...form.register(field)} inputSize="lg" autoComplete={autoComplete} />}
    </Field>
  );
  const password = (label: string, field: "password" | "confirmPassword", hint?: string) => (
    <Field label={label} hint={hint} error={errors[field]?.message}>
      {(wiring) => (
        <PasswordInput {...wiring} {...form.register(field)} inputSize="lg" autoComplete="new-password" />
      )}
    </Field>
  );

  return (
    <form
      noValidate
      className="flex flex-col gap-4.5"
      onInput={() => void signInRules.load()}
      onSubmit={(event) => void form.handleSubmit(submit)(event)}
    >
      <div className="grid gap-4.5 sm:grid-cols-2">
        {name("First name", "firstName", "given-name")}
        {name("Last name", "lastName", "family-name")}
      </div>
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
      <Field label="Email" error={errors.email?.message}>
        {(wiring) => (
          <Input {...wiring} {...form.register("email")} type="email" inputSize="lg" autoComplete="email" />
        )}
      </Field>
      {password("Password", "password", state.passwordHint)}
      {password("Confirm password", "confirmPassword")}
      {state.setupCodeNeeded && (
        <Field
          label="Setup code"
          hint="The server printed it when it started. It proves this is your server."
          error={errors.setupCode?.message}
        >
          {(wiring) => (
            <Input
              {...wiring}
              {...form.register("setupCode")}
              inputSize="lg"
              autoComplete="one-time-code"
              spellCheck={false}
            />
          )}
        </Field>
      )}
      <Button type="submit" variant="ink" size="lg" busy={isSubmitting} className="w-full">
        Create Account
      </Button>
    </form>
  );
}

function reason(error: unknown): string {
  return error instanceof ApiError
    ? error.reason
    : error instanceof OfflineError
      ? error.message
      : "Something went wrong";
}
