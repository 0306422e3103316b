import { useForm } from "react-hook-form";
import type { LoginForm as Fields } from "#contract/auth.ts";
import { ApiError, OfflineError, call } from "#web/api/client.ts";
import { signedIn } from "#web/api/session.ts";
import { forgetDraftsOf, rememberShared } from "#web/api/this-browser.ts";
import { showFieldErrors } from "#web/api/field-errors.ts";
import { useFirstFocus } from "#web/features/auth/first-focus.ts";
import { signInRules } from "#web/features/auth/lazy-rules.ts";
import { Checkbox } from "#web/ui/checkbox.tsx";
import { Button } from "#web/ui/button.tsx";
import { Field } from "#web/ui/field.tsx";
import { Input } from "#web/ui/input.tsx";
import { PasswordInput } from "#web/ui/password-input.tsx";
import { toast } from "#web/ui/toast-store.ts";

const resolver = signInRules.resolver<Fields>((rules) => rules.loginRules);

/** `onAttempt`: called when the form is sent, so that what comes after signing in can load meanwhile. */
export function LoginForm({ onAttempt }: { onAttempt: () => void }) {
  const form = useForm<Fields>({ resolver, defaultValues: { username: "", password: "" } });
  const { errors, isSubmitting } = form.formState;
  useFirstFocus(() => form.setFocus("username"));

  async function submit(fields: Fields) {
    onAttempt();
    try {
      const { auth } = await signInRules.load();
      const user = await call(auth.login, { body: fields });
      rememberShared(fields.sharedComputer ?? false);
      if (fields.sharedComputer) forgetDraftsOf(user.id);
      toast({ title: "Login successful", description: `Welcome back, ${user.firstName}!` });
      signedIn(user);
    } catch (error) {
      if (showFieldErrors(form, error)) return;
      toast({ title: "Login failed", description: reason(error), variant: "destructive" });
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
            inputSize="lg"
            autoComplete="current-password"
          />
        )}
      </Field>
      <Checkbox
        {...form.register("sharedComputer")}
        label="This is a shared computer"
        hint="We won’t keep drafts or unsent messages."
      />
      <Button type="submit" variant="ink" size="lg" busy={isSubmitting} className="w-full">
        Sign In
      </Button>
    </form>
  );
}

function reason(error: unknown): string {
  if (error instanceof ApiError) return error.reason || "Invalid credentials";
  return error instanceof OfflineError ? error.message : "Login failed";
}
