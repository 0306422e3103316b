import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { ArrowLeft, Plus } from "lucide-react";
import { integrations, type Account } from "#contract/calls/integrations.ts";
import { useMay } from "#web/api/session.ts";
import { useRead } from "#web/api/use-read.ts";
import { accountsSearch, accountTabs, FIRST_ACCOUNT_TAB } from "#web/domain/account-tabs.ts";
import { channelLook } from "#web/domain/channel.tsx";
import { ChannelAccounts } from "#web/features/integrations/channel-accounts.tsx";
import { isStepLeft } from "#web/features/integrations/first-report.tsx";
import { ProviderCards } from "#web/features/integrations/provider-cards.tsx";
import type { IntegrationsSearch } from "#web/pages/page-search.ts";
import { Button } from "#web/ui/page/button.tsx";
import { PageHeader } from "#web/ui/page/page-header.tsx";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { Tab, TabList, TabPanel, Tabs } from "#web/ui/page/tabs.tsx";

export function IntegrationsPage() {
  const { tab, open, kind, edit } = useSearch({ from: "/integrations" });
  const channel = tab ?? FIRST_ACCOUNT_TAB;
  const navigate = useNavigate({ from: "/integrations" });
  const mayChange = useMay("integrations:write");
  const read = useRead(integrations.list);
  const { data } = read;
  const adding =
    open === "new" && mayChange
      ? data?.providers.find((one) => one.kind === kind && one.channels.includes(channel))
      : undefined;
  const show = (form: Pick<IntegrationsSearch, "open" | "edit">) =>
    void navigate({
      search: (now: IntegrationsSearch) => ({
        ...now,
        open: undefined,
        kind: undefined,
        edit: undefined,
        ...form,
      }),
      replace: Object.keys(form).length === 0,
      resetScroll: false,
    });
  if (open === "new" && mayChange && (kind === undefined || (data && !adding))) {
    return (
      <>
        <PageHeader
          title="Add account"
          help="integrations"
          subtitle="Choose a service for the channel that you need"
          above={
            <Link
              to="/integrations"
              search={accountsSearch(tab)}
              className="mb-2 flex w-fit items-center gap-1.5 text-sm text-ink-2 hover:text-ink touch:min-h-11"
            >
              <ArrowLeft aria-hidden className="size-4" /> Integrations
            </Link>
          }
        />
        <ReadStates read={read} failed="Error loading integrations" skeleton={<LoadingAccounts />} card>
          {(reply) => <ProviderCards first={tab} {...reply} />}
        </ReadStates>
      </>
    );
  }
  const offered = data?.providers.some(({ channels }) => channels.includes(channel)) ?? false;
  const broken = new Set(data?.accounts.filter(needsSomeone).map((account) => account.channel));
  return (
    <>
      <PageHeader
        title="Integrations"
        help="integrations"
        subtitle="The services that deliver your notifications"
        actions={
          mayChange &&
          offered && (
            <Button
              icon={<Plus aria-hidden />}
              disabled={adding !== undefined}
              onClick={() => show({ open: "new" })}
            >
              Add account
            </Button>
          )
        }
      />
      <Tabs value={channel} onValueChange={(next) => void navigate({ search: accountsSearch(next) })}>
        <TabList aria-label="Channels" className="mb-4 md:w-fit md:*:min-w-32">
          {accountTabs.map((value) => (
            <Tab key={value} value={value}>
              {channelLook[value].accounts}
              {broken.has(value) && (
                <>
                  <span aria-hidden className="ml-2 inline-block size-2 rounded-full bg-lamp align-middle" />
                  <span className="sr-only"> (needs attention)</span>
                </>
              )}
            </Tab>
          ))}
        </TabList>
        {accountTabs.map((value) => (
          <TabPanel key={value} value={value}>
            <ReadStates read={read} failed="Error loading integrations" skeleton={<LoadingAccounts />} card>
              {({ providers, accounts }) => (
                <ChannelAccounts
                  channel={value}
                  providers={providers.filter(({ channels }) => channels.includes(value))}
                  accounts={accounts.filter((account) => account.channel === value)}
                  mayChange={mayChange}
                  adding={adding}
                  editing={edit}
                  onShow={show}
                />
              )}
            </ReadStates>
          </TabPanel>
        ))}
      </Tabs>
    </>
  );
}

function needsSomeone(account: Account): boolean {
  return (account.enabled && account.state === "Error") || isStepLeft(account);
}

function LoadingAccounts() {
  return (
    <div aria-hidden className="flex flex-col gap-4">
      <Skeleton className="h-20 rounded-lg" />
      <Skeleton className="h-20 rounded-lg" />
    </div>
  );
}
