import { Send } from "lucide-react";
import { useState, type ReactNode } from "react";
import { isolated } from "#contract/text/isolate.ts";
import { type Channel, channelMeaning } from "#contract/delivery.ts";
import { integrations, type Account } from "#contract/calls/integrations.ts";
import { reasonWithoutStatus } from "#web/api/reason-of.ts";
import { useWrite } from "#web/api/use-write.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { Select } from "#web/ui/form/select.tsx";

/** Sends one real message through one account to who asks. */
export function SendTest({ channel, accounts }: { channel: Channel; accounts: readonly Account[] }) {
  const [chosen, setChosen] = useState<number>();
  const account = accounts.find(({ id }) => id === chosen) ?? accounts[0]!;
  return (
    <Card className="flex flex-col gap-3 p-4">
      <div>
        <h2 className="font-semibold">Send a test to me</h2>
        <p className="mt-0.5 text-sm text-ink-2">Sends one real {channelMeaning[channel].one}.</p>
      </div>
      <div className="flex flex-wrap gap-2">
        {accounts.length > 1 && (
          <Select
            aria-label="Account"
            value={account.id}
            onChange={(event) => setChosen(Number(event.target.value))}
            className="min-w-36 flex-1"
          >
            {accounts.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
        <SendTestButton key={account.id} account={account}>
          Send to me
        </SendTestButton>
      </div>
    </Card>
  );
}

/** The button, and below it what became of the test. */
export function SendTestButton({
  account: { id, name },
  children,
}: {
  account: Account;
  children: ReactNode;
}) {
  const send = useWrite(integrations.sendTest);
  const refused = send.data?.sent === false && `${isolated(name)} didn't send it: ${send.data.message}`;
  const failed = send.error ? reasonWithoutStatus(send.error) : refused;
  return (
    <>
      <Button
        className="self-start"
        icon={<Send aria-hidden />}
        busy={send.isPending}
        onClick={() => send.mutate({ params: { id } })}
      >
        {children}
      </Button>
      {failed && (
        <p role="alert" className="basis-full text-sm break-words text-bad">
          {failed}
        </p>
      )}
      {send.data?.sent && (
        <output className="basis-full text-sm break-words text-good">{send.data.message}</output>
      )}
    </>
  );
}
