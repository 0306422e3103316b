import { useId, useState } from "react";
import { addressKind, channelMeaning, type LinkChannel, linkChannels } from "#contract/delivery.ts";
import { preferenceField, users, type UserDetail } from "#contract/calls/users.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useWrite } from "#web/api/use-write.ts";
import { Button } from "#web/ui/page/button.tsx";
import { ChannelIcon } from "#web/domain/channel.tsx";
import { CheckCard } from "#web/ui/form/check-card.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { FieldError } from "#web/ui/form/field.tsx";
import { personName } from "#web/domain/avatar.tsx";
import { nationalPhone } from "#web/domain/phone-number.ts";
import { toast } from "#web/ui/feedback/toast-store.ts";

type Props = { person: UserDetail; onClose: () => void };

/** The channels that can be used to send this person a link, and why the others cannot. */
function wayOf(person: UserDetail, channel: LinkChannel): { open: boolean; detail: string } {
  const { address, unknown } =
    addressKind(channel) === "email"
      ? { address: person.email, unknown: "No email address on file" }
      : { address: person.phone && nationalPhone(person.phone), unknown: "No phone number on file" };
  const on = person[preferenceField[channel]];
  return {
    open: address !== null && on,
    detail: address === null ? unknown : on ? address : "Turned off in their preferences",
  };
}

/** Sends the one-time link on the selected channels. */
export function SendCredentials({ person, onClose }: Props) {
  const formId = useId();
  const [chosen, setChosen] = useState<readonly LinkChannel[]>(wayOf(person, "email").open ? ["email"] : []);
  const [fault, setFault] = useState<string>();
  const write = useWrite(users.sendCredentials, { refreshes: [users.deliveries, users.detail] });
  const name = personName(person);

  async function send() {
    const channels = linkChannels.filter((channel) => chosen.includes(channel));
    if (channels.length === 0) return setFault("At least one channel is required");
    try {
      const { sent, message } = await write.mutateAsync({ body: { userId: person.id, channels } });
      if (sent) toast({ title: "Credentials sent", description: message });
      else toast({ variant: "destructive", title: "Credentials not sent", description: message });
      onClose();
    } catch (error) {
      setFault(reasonOf(error));
    }
  }

  const card = (channel: LinkChannel, place: number) => {
    const { open, detail } = wayOf(person, channel);
    return (
      <CheckCard
        key={channel}
        icon={<ChannelIcon channel={channel} named />}
        label={channelMeaning[channel].label}
        detail={detail}
        checked={chosen.includes(channel)}
        disabled={!open || write.isPending}
        data-autofocus={place === 0 || undefined}
        onChange={(event) => {
          setFault(undefined);
          const others = chosen.filter((one) => one !== channel);
          setChosen(event.target.checked ? [...others, channel] : others);
        }}
      />
    );
  };

  return (
    <Dialog
      open
      onOpenChange={(next) => {
        if (!next && !write.isPending) onClose();
      }}
      title="Send credentials"
      description={
        <>
          <bdi translate="no">{name}</bdi> gets a link to choose a password. It works once and expires after
          24 hours.
        </>
      }
      footer={
        <>
          <Button onClick={onClose} disabled={write.isPending}>
            Cancel
          </Button>
          <Button variant="ink" type="submit" form={formId} busy={write.isPending}>
            Send link
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          // This form is inside another dialog's React tree, which must not get its submit event.
          event.stopPropagation();
          void send();
        }}
      >
        <fieldset className="grid gap-2 sm:grid-cols-2">
          <legend className="mb-1.5 text-sm font-semibold">Send it by</legend>
          {linkChannels.map(card)}
        </fieldset>
        <FieldError message={fault} />
        {person.hasPassword && (
          <p className="text-sm text-ink-2">
            <bdi translate="no">{name}</bdi> already has a password. It keeps working until they choose a new
            one with the link.
          </p>
        )}
      </form>
    </Dialog>
  );
}
