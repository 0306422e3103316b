import { lazy, Suspense, useState } from "react";
import { isolated } from "#contract/text/isolate.ts";
import { useSession } from "#web/api/session.ts";
import { useAuthState, type AuthState } from "#web/features/auth/auth-state.ts";
import { LoginForm } from "#web/features/auth/login-form.tsx";
import { passkeysWorkHere } from "#web/features/auth/passkey-sign-in.ts";
import type { PendingSignIn } from "#web/features/auth/second-step.tsx";
import { Explained, SignInLayout } from "#web/features/auth/sign-in-layout.tsx";
import { fetchConsole } from "#web/pages/load-console.ts";
import { usePageTitle } from "#web/ui/page/page-title.ts";
import { Spinner } from "#web/ui/feedback/spinner.tsx";
import { Tab, TabList, TabPanel, Tabs } from "#web/ui/page/tabs.tsx";

// Few need it, and only once their password was right.
const SecondStep = lazy(async () => ({
  default: (await import("#web/features/auth/second-step.tsx")).SecondStep,
}));

const RegisterForm = lazy(async () => ({
  default: (await import("#web/features/auth/register-form.tsx")).RegisterForm,
}));

type Which = "login" | "register";

const loading = (
  <div className="grid h-72 place-items-center text-ink-3">
    <Spinner label="Loading..." className="size-6" />
  </div>
);

export default function AuthPage() {
  usePageTitle("Sign in");
  const session = useSession();
  const why = session.state === "signed-out" ? session.why : undefined;
  const state = useAuthState();
  const [chosen, setChosen] = useState<Which>();
  const [registered, setRegistered] = useState<string>();
  const [pending, setPending] = useState<PendingSignIn>();
  const passkeysWork = passkeysWorkHere(state?.passkeyOrigin);
  // On an empty system, no one can log in, but the visitor may still look at the other tab.
  const tab = chosen ?? (state?.firstRun ? "register" : "login");

  return (
    <SignInLayout high={state?.firstRun ?? false}>
      {pending ? (
        <Suspense fallback={loading}>
          <SecondStep {...pending} passkeysWork={passkeysWork} onBack={() => setPending(undefined)} />
        </Suspense>
      ) : state === undefined ? (
        loading
      ) : (
        <Tabs
          value={tab}
          onValueChange={(value) => {
            setChosen(value as Which);
            setRegistered(undefined);
          }}
        >
          <TabList aria-label="Sign in or register">
            <Tab value="login">Login</Tab>
            <Tab value="register">Register</Tab>
          </TabList>
          <TabPanel value="login" className="animate-fade pt-7">
            {state && <SignInTo {...state} />}
            <h1 className="pb-5 text-2xl font-bold tracking-tight">
              {registered ? "Sign in" : "Welcome back"}
            </h1>
            {registered && (
              <output className="mb-5 block rounded-md bg-good-soft px-3.5 py-3 text-sm text-good">
                {registered}
              </output>
            )}
            {why && (
              <output className="mb-5 block rounded-md bg-warn-soft px-3.5 py-3 text-sm text-warn">
                {why}
              </output>
            )}
            <LoginForm onAttempt={fetchConsole} onSecondStep={setPending} passkeysWork={passkeysWork} />
          </TabPanel>
          <TabPanel value="register" className="animate-fade pt-7">
            <Register
              state={state}
              onRegistered={(message) => {
                setRegistered(message);
                setChosen("login");
              }}
            />
          </TabPanel>
        </Tabs>
      )}
    </SignInLayout>
  );
}

/** The organization's name and logo, once it has set one. */
function SignInTo({ siteName, logo }: AuthState) {
  if (!logo && siteName === "Porchlight") return null;
  return (
    <p className="flex items-center gap-3 pb-4 font-semibold">
      {logo && (
        <img
          src={logo}
          alt=""
          width={40}
          height={40}
          className="size-10 shrink-0 rounded-md object-contain"
        />
      )}
      <span className="min-w-0 break-words">{siteName}</span>
    </p>
  );
}

type RegisterProps = { state: AuthState | null; onRegistered: (message: string) => void };

function Register({ state, onRegistered }: RegisterProps) {
  if (!state) {
    return (
      <Explained heading="Create an account">
        We couldn't check whether you can create an account here. Reload the page to try again.
      </Explained>
    );
  }
  if (state.firstRun) {
    return (
      <>
        <Explained heading="Set up Porchlight">
          No one has an account here yet. The first account becomes the administrator.
        </Explained>
        <Suspense fallback={loading}>
          <RegisterForm state={state} onRegistered={onRegistered} onAttempt={fetchConsole} />
        </Suspense>
      </>
    );
  }
  if (state.registration === "closed") {
    return <Explained heading="Create an account">{state.closedMessage}</Explained>;
  }
  return (
    <>
      <Explained heading="Create an account">{`For residents and staff of ${isolated(state.siteName)}.`}</Explained>
      <Suspense fallback={loading}>
        <RegisterForm state={state} onRegistered={onRegistered} onAttempt={fetchConsole} />
      </Suspense>
    </>
  );
}
