import { people } from "#contract/text/count-text.ts";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { VERY_MANY } from "#web/domain/message/reach-text.ts";
import { Confirm } from "#web/ui/dialog/confirm.tsx";

/** How many people to confirm, or why no one could count them. */
export type Question = number | "unreachable" | "unknown";

/**
 * What to confirm before sending to `recipients`, who add up to this many people; null: nothing. Only people
 * are no more than they look.
 */
export function questionBefore(
  reached: Question,
  recipients: readonly Pick<AudienceMember, "type">[],
): Question | null {
  if (typeof reached === "string") return recipients.some(({ type }) => type !== "user") ? reached : null;
  return reached >= VERY_MANY ? reached : null;
}

type Props = {
  asking: Question | null;
  verb: "Send" | "Schedule";
  onConfirm: () => void;
  onCancel: () => void;
};

/**
 * Before sending to very many people, their number has to be typed, so that no one messages a whole town by accident.
 */
export function ConfirmMany({ asking, verb, onConfirm, onCancel }: Props) {
  const { values, busy } = useMessage();
  if (asking === null) return null;
  const shared = {
    open: true,
    onOpenChange: (open: boolean) => {
      if (!open) onCancel();
    },
    busy,
    onConfirm,
  };
  if (asking === "unreachable") {
    const sends = verb.toLowerCase();
    return (
      <Confirm
        {...shared}
        title={`Keep it and ${sends} it later?`}
        description={`We can't reach the server, so we couldn't count who will get it. We'll keep it in this browser and ${sends} it as soon as the server answers.`}
        confirmLabel={`Keep and ${sends} later`}
      />
    );
  }
  if (asking === "unknown") {
    return (
      <Confirm
        {...shared}
        title={`${verb} without knowing how many people will get it?`}
        description={`We couldn't count the recipients. ${verb} anyway?`}
        confirmLabel={`${verb} anyway`}
      />
    );
  }
  return (
    <Confirm
      {...shared}
      title={`${verb} to ${people(asking)}?`}
      description={
        <>
          “<bdi translate="no">{values.title.trim()}</bdi>” goes to a lot of people
          {values.perHome && ", one message per home"}. You can't take it back once it's sent.
        </>
      }
      confirmLabel={`${verb} to ${people(asking)}`}
      typed={asking}
    />
  );
}
