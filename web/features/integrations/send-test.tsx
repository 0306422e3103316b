import { Send } from "lucide-react";
import { useState } from "react";
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
  const send = useWrite(integrations.sendTest);
  const account = accounts.find(({ id }) => id === chosen) ?? accounts[0]!;
  const refused =
    send.data?.sent === false && `${isolated(account.name)} didn't send it: ${send.data.message}`;
  const failed = send.error ? reasonWithoutStatus(send.error) : refused;
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
            onChange={(event) => {
              setChosen(Number(event.target.value));
              send.reset();
            }}
            className="min-w-36 flex-1"
          >
            {accounts.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
        <Button
          icon={<Send aria-hidden />}
          busy={send.isPending}
          onClick={() => send.mutate({ params: { id: account.id } })}
        >
          Send to me
        </Button>
      </div>
      {failed && (
        <p role="alert" className="text-sm break-words text-bad">
          {failed}
        </p>
      )}
      {send.data?.sent && <output className="text-sm break-words text-good">{send.data.message}</output>}
    </Card>
  );
}
