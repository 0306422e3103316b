import { Link } from "@tanstack/react-router";
import { CircleAlert, CloudOff, House, Info, LogIn, MailQuestion, Smartphone } from "lucide-react";
import { type ReactNode, useSyncExternalStore } from "react";
import { isolated } from "#contract/text/isolate.ts";
import { confirmation } from "#contract/calls/auth.ts";
import { shell } from "#contract/calls/shell.ts";
import { integrations, type ProviderState } from "#contract/calls/integrations.ts";
import { listText, numberText } from "#contract/text/locale.ts";
import { reachability } from "#web/api/reachability.ts";
import { reasonWithoutStatus } from "#web/api/reason-of.ts";
import { useMay } from "#web/api/session.ts";
import { useWrite } from "#web/api/use-write.ts";
import { accountsSearch } from "#web/domain/account-tabs.ts";
import { nationalPhone } from "#web/domain/phone-number.ts";
import { RemoveSampleButton } from "#web/domain/sample-property.tsx";
import { ReloadButton } from "#web/shell/reload-button.tsx";
import { useShellState } from "#web/shell/shell-state.ts";
import { useUpdated } from "#web/shell/version.ts";
import { Banner } from "#web/ui/feedback/banner.tsx";
import { Button, buttonClass } from "#web/ui/page/button.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

/** What every screen has to show: no connection, a newer version, a provider that accepts no messages. */
export function Banners() {
  const reached = useSyncExternalStore(reachability.subscribe, reachability.get);
  const signIn = useSyncExternalStore(reachability.subscribe, reachability.signInInFront);
  const updated = useUpdated();
  const maySetUp = useMay("settings:write");
  const {
    providers = [],
    proxyNotTrusted = false,
    unconfirmedEmail = null,
    unconfirmedPhone = null,
    sampleLoaded = false,
  } = useShellState().data ?? {};
  const broken = providers.filter((provider) => provider.state === "Error");
  if (
    reached &&
    !updated &&
    !proxyNotTrusted &&
    !unconfirmedEmail &&
    !unconfirmedPhone &&
    !sampleLoaded &&
    broken.length === 0
  )
    return null;
  return (
    <div className="flex flex-col gap-3 pb-6">
      {!reached && signIn && (
        <Banner
          tone="warn"
          icon={<LogIn />}
          title="Sign in again."
          action={
            <>
              <a href="/" target="_blank" rel="noopener" className={buttonClass({})}>
                Sign in in a new tab
              </a>
              <ReloadButton />
            </>
          }
        >
          Your company's sign-in or the network wants you to sign in again. Reload the page, or do it in a new
          tab to keep what you're typing. What you send meanwhile waits in this browser.
        </Banner>
      )}
      {!reached && !signIn && (
        <Banner tone="warn" icon={<CloudOff />} title="The server cannot be reached.">
          Reconnecting…
        </Banner>
      )}
      {updated && (
        <Banner tone="info" icon={<Info />} title="Porchlight was updated." action={<ReloadButton />}>
          Reload the page when you're done writing.
        </Banner>
      )}
      {proxyNotTrusted && (
        <Banner tone="warn" icon={<CircleAlert />} title="Porchlight can't tell visitors apart.">
          A reverse proxy passes their addresses on, but TRUST_PROXY isn't set, so one visitor's wrong
          passwords can keep others out. Set TRUST_PROXY to the number of proxies and restart Porchlight.
        </Banner>
      )}
      {unconfirmedEmail && (
        <Unconfirmed field="email" canSend>
          Open the link in the email to <span className="break-all">{unconfirmedEmail}</span>, or ask your
          property manager to confirm it. Until then, we send you no other email.
        </Unconfirmed>
      )}
      {unconfirmedPhone && (
        <Unconfirmed field="phone" canSend={unconfirmedPhone.canText}>
          {unconfirmedPhone.canText
            ? `Open the link that we texted to ${nationalPhone(unconfirmedPhone.phone)}, or ask your property manager to confirm the number. Until then, we send you no other texts.`
            : `We can't text you a link to confirm ${nationalPhone(unconfirmedPhone.phone)}. Ask your property manager to confirm the number. Until then, we send you no texts.`}
        </Unconfirmed>
      )}
      {sampleLoaded && (
        <Banner
          tone="info"
          icon={<House />}
          title="This is the sample property."
          action={maySetUp && <RemoveSampleButton />}
        >
          Its people and messages are invented. Remove it before you connect a channel.
        </Banner>
      )}
      {broken.map((provider) => (
        <BrokenProvider key={provider.id} provider={provider} />
      ))}
    </div>
  );
}

const confirmWhat = {
  email: { icon: <MailQuestion />, title: "Confirm your email address.", toast: "Email confirmation" },
  phone: { icon: <Smartphone />, title: "Confirm your phone number.", toast: "Phone confirmation" },
};

type UnconfirmedProps = { field: "email" | "phone"; canSend: boolean; children: ReactNode };

function Unconfirmed({ field, canSend, children }: UnconfirmedProps) {
  const { icon, title, toast: toastTitle } = confirmWhat[field];
  const send = useWrite(confirmation.send, { refreshes: [shell.state] });
  return (
    <Banner
      tone="info"
      icon={icon}
      title={title}
      action={
        canSend && (
          <Button
            size="sm"
            busy={send.isPending}
            onClick={() =>
              send.mutate(
                { query: { field } },
                {
                  onSuccess: ({ message }) => toast({ title: toastTitle, description: message }),
                  onError: (error) =>
                    toast({
                      variant: "destructive",
                      title: "Error",
                      description: reasonWithoutStatus(error),
                    }),
                },
              )
            }
          >
            Send a new link
          </Button>
        )
      }
    >
      {children}
    </Banner>
  );
}

function BrokenProvider({ provider }: { provider: ProviderState }) {
  const check = useWrite(integrations.check, { refreshes: [shell.state] });
  const names = provider.paused.map(({ name }) => isolated(name));
  const count = numberText(provider.waiting);
  const waiting =
    provider.waiting === 1
      ? "1 message is waiting. We'll send it"
      : `${count} messages are waiting. We'll send them`;
  return (
    <Banner
      tone="bad"
      icon={<CircleAlert />}
      title={`${listText(names)} ${names.length === 1 ? "isn't" : "aren't"} accepting messages.`}
      action={
        <>
          <Link
            to="/integrations"
            search={accountsSearch(provider.channel)}
            className={buttonClass({ size: "sm" })}
          >
            Open Integrations
          </Link>
          <Button
            size="sm"
            busy={check.isPending}
            onClick={() =>
              check.mutate(
                { params: { id: provider.id } },
                {
                  onError: (error) =>
                    toast({
                      variant: "destructive",
                      title: "Error",
                      description: reasonWithoutStatus(error),
                    }),
                },
              )
            }
          >
            Check again
          </Button>
        </>
      }
    >
      {provider.reason}
      {/* In its own line, because a provider's words may not end with a period. */}
      {provider.waiting > 0 && <span className="block">{waiting} once this is fixed.</span>}
    </Banner>
  );
}
