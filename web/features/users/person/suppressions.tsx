import { OctagonAlert } from "lucide-react";
import { useState } from "react";
import { channelMeaning } from "#contract/delivery.ts";
import { users } from "#contract/users.ts";
import type { UserDetail } from "#contract/users.ts";
import { useWrite } from "#web/api/use-write.ts";
import { channelLook } from "#web/domain/channel.tsx";
import { nationalPhone } from "#web/domain/phone-number.ts";
import { Button } from "#web/ui/button.tsx";
import { Confirm } from "#web/ui/confirm.tsx";
import { toast } from "#web/ui/toast-store.ts";
import { When } from "#web/ui/when.tsx";

type Suppression = UserDetail["suppressions"][number];

/** Blocked addresses, and why they are blocked. */
export function Suppressions({ person: { id, suppressions } }: { person: UserDetail }) {
  const [asked, setAsked] = useState<Suppression>();
  if (suppressions.length === 0) return null;
  return (
    <ul aria-label="Blocked addresses" className="flex flex-col gap-2">
      {suppressions.map((suppression) => {
        const { channel, address, reason, at } = suppression;
        return (
          <li
            key={`${channel} ${address}`}
            className="flex flex-wrap items-start gap-2.5 rounded-md bg-bad-soft px-3.5 py-3 text-sm text-bad"
          >
            <OctagonAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span className="min-w-0 flex-1 basis-48">
              <strong className="font-semibold wrap-anywhere">{`${channelLook[channel].label}: ${nationalPhone(address)} is blocked.`}</strong>{" "}
              {/[.!?]$/.test(reason) ? reason : `${reason}.`}{" "}
              {`Add another ${nounOf(channel)} to reach them.`}
              <span className="block">
                Blocked: <When at={at} />
              </span>
            </span>
            <Button size="sm" onClick={() => setAsked(suppression)}>
              Unblock
            </Button>
          </li>
        );
      })}
      {asked && <Unblock personId={id} suppression={asked} onClose={() => setAsked(undefined)} />}
    </ul>
  );
}

const nounOf = (channel: Suppression["channel"]) =>
  channelMeaning[channel].address === "phone" ? "number" : "address";

type UnblockProps = { personId: number; suppression: Suppression; onClose: () => void };

function Unblock({ personId, suppression: { channel, address }, onClose }: UnblockProps) {
  const write = useWrite(users.unblock, { refreshes: [users.detail, users.list] });
  const onConfirm = async () => {
    try {
      await write.mutateAsync({ params: { id: personId }, body: { channel } });
      toast({ title: "Address unblocked", description: `We'll use ${nationalPhone(address)} again.` });
    } catch (error) {
      const description = error instanceof Error ? error.message : String(error);
      toast({ variant: "destructive", title: "Error", description });
    }
    onClose();
  };
  return (
    <Confirm
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={
        <>
          Unblock <bdi>{nationalPhone(address)}</bdi>?
        </>
      }
      description={`We'll send to this ${nounOf(channel)} again. If messages fail again, it will be blocked again. The change is logged under your name.`}
      confirmLabel="Unblock"
      busy={write.isPending}
      onConfirm={() => void onConfirm()}
    />
  );
}
