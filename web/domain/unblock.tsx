import { useState } from "react";
import { channelMeaning, type Channel } from "#contract/delivery.ts";
import { places } from "#contract/calls/places.ts";
import { suppressions, type Suppression } from "#contract/calls/suppressions.ts";
import { users } from "#contract/calls/users.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useWrite } from "#web/api/use-write.ts";
import { nationalPhone } from "#web/domain/phone-number.ts";
import { Confirm } from "#web/ui/dialog/confirm.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { toast } from "#web/ui/feedback/toast-store.ts";

type Blocked = Pick<Suppression, "channel" | "address" | "kind" | "optedOut" | "words">;

/** "address" or "number" */
export const addressNoun = (channel: Channel) =>
  channelMeaning[channel].address === "phone" ? "number" : "address";

type Props = {
  blocked: Blocked;
  onClose: () => void;
};

/** Asks before a blocked address is used again. */
export function Unblock({ blocked: { channel, address, kind, optedOut, words }, onClose }: Props) {
  // Whether a text that sounds like STOP was one, staff decide themselves.
  const needsRequest = optedOut && words === null;
  const [request, setRequest] = useState("");
  const write = useWrite(suppressions.lift, {
    refreshes: [suppressions.list, users.detail, users.list, places.property, places.unreached],
  });
  const onConfirm = async () => {
    try {
      await write.mutateAsync({ body: { channel, address, ...(needsRequest && { request }) } });
      toast({ title: "Address unblocked", description: `We'll use ${nationalPhone(address)} again.` });
    } catch (error) {
      const description = reasonOf(error);
      toast({ variant: "destructive", title: "Error", description });
    }
    onClose();
  };
  const noun = addressNoun(channel);
  return (
    <Confirm
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={
        <>
          Unblock <bdi translate="no">{nationalPhone(address)}</bdi>?
        </>
      }
      description={
        needsRequest ? (
          <>
            {`Someone asked us to stop sending messages to this ${noun}. Unblock it only if they ask.`}
            <Field label="Who asked, how and when?" required className="mt-4" hint="Logged with your name.">
              {(wiring) => (
                <Input
                  {...wiring}
                  value={request}
                  maxLength={300}
                  onChange={(event) => setRequest(event.target.value)}
                  placeholder="Called the office on May 3"
                />
              )}
            </Field>
          </>
        ) : words !== null ? (
          `They texted: “${words}”. If that didn't mean STOP, we'll send to this ${noun} again. The change is logged under your name.`
        ) : kind === "complaint" ? (
          `Someone asked us to stop sending messages to this ${noun}. Unblock it only if they ask. The change is logged under your name.`
        ) : (
          `We'll send to this ${noun} again. If messages fail again, it will be blocked again. The change is logged under your name.`
        )
      }
      confirmable={!needsRequest || request.trim() !== ""}
      confirmLabel="Unblock"
      busy={write.isPending}
      onConfirm={() => void onConfirm()}
    />
  );
}
