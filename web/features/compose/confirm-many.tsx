import type { AudienceMember } from "#contract/notifications.ts";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { VERY_MANY, people } from "#web/domain/message/reach-text.ts";
import { Confirm } from "#web/ui/confirm.tsx";

/** How many people are to be confirmed; "unknown" where no one could count them. */
export type Question = number | "unknown";

/**
 * What is to be confirmed before it goes to `recipients`, of whom so many are reached (undefined: they could not be
 * counted); null: nothing. Only a group can be larger than it looks.
 */
export function questionBefore(
  reached: number | undefined,
  recipients: readonly Pick<AudienceMember, "type">[],
): Question | null {
  if (reached === undefined) return recipients.some(({ type }) => type === "group") ? "unknown" : null;
  return reached >= VERY_MANY ? reached : null;
}

type Props = {
  asking: Question | null;
  verb: "Send" | "Schedule";
  onConfirm: () => void;
  onCancel: () => void;
};

/** Before it goes to very many, their number is typed: no one writes to a whole town by accident, or unseen. */
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
  if (asking === "unknown") {
    return (
      <Confirm
        {...shared}
        title={`${verb} without knowing how many people will get it?`}
        description={`We couldn’t count the recipients. ${verb} anyway?`}
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
          “<bdi>{values.title.trim()}</bdi>” goes to a lot of people. You can’t take back what has gone out.
        </>
      }
      confirmLabel={`${verb} to ${people(asking)}`}
      typed={{ label: `Type ${asking} to confirm`, expected: String(asking) }}
    />
  );
}
