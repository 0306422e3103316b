import { CircleAlert, CloudOff } from "lucide-react";
import { isolated } from "#contract/text/isolate.ts";
import { UNSENT_LABEL, type Unsent } from "#web/domain/unsent/unsent.ts";
import { Badge } from "#web/ui/feedback/badge.tsx";
import { When } from "#web/ui/time/when.tsx";

type Props = { unsent: Unsent };

export function UnsentTitleCell({ unsent }: Props) {
  return (
    <>
      <span className="line-clamp-2 font-semibold break-words">
        <bdi translate="no">{unsent.title}</bdi>
      </span>
      {unsent.refusal ? (
        <span className="mt-0.5 block break-words text-bad">{unsent.refusal}</span>
      ) : (
        unsent.obstacle && <span className="mt-0.5 block break-words text-ink-2">{unsent.obstacle}</span>
      )}
    </>
  );
}

export function UnsentStatusCell({ unsent }: Props) {
  return unsent.refusal ? (
    <Badge tone="bad" icon={<CircleAlert aria-hidden />}>
      {UNSENT_LABEL}
    </Badge>
  ) : (
    <UnsentBadge />
  );
}

export function UnsentBadge() {
  return (
    <Badge tone="warn" icon={<CloudOff aria-hidden />}>
      {UNSENT_LABEL}
    </Badge>
  );
}

export function UnsentTimeCell({ unsent }: Props) {
  if (unsent.refusal) return <span className="text-ink-2">Needs your attention</span>;
  if (unsent.underWay) return <span className="text-ink-2">Being sent…</span>;
  return (
    <span className="text-ink-2">
      {unsent.plannedFor ? (
        <>
          Scheduled for <When at={unsent.plannedFor} as="sentence" />
        </>
      ) : (
        "Waiting for the server"
      )}
    </span>
  );
}

export type UnsentActions = {
  onEdit: (unsent: Unsent) => void;
  onDiscard: (unsent: Unsent) => void;
  onTryNow: () => void;
};

const action =
  "rounded-sm font-semibold whitespace-nowrap hover:underline hover:underline-offset-4 touch:min-h-11 touch:px-2";

/**
 * A refused one can be fixed. A waiting one may be sent at any moment, so it cannot be edited, and one being sent
 * cannot be recalled.
 */
export function UnsentActionsCell({ unsent, onEdit, onDiscard, onTryNow }: Props & UnsentActions) {
  return (
    <span
      data-on-card
      className="flex items-center justify-end gap-4 rows:snug:flex-col rows:snug:items-end rows:snug:gap-0.5 cards:-my-2"
    >
      <button
        type="button"
        className={`${action} font-medium text-ink-2 enabled:hover:text-bad disabled:cursor-not-allowed disabled:no-underline disabled:opacity-55`}
        disabled={unsent.underWay}
        aria-label={`Discard ${isolated(unsent.title)}`}
        onClick={() => onDiscard(unsent)}
      >
        Discard
      </button>
      {unsent.refusal ? (
        <button
          type="button"
          className={action}
          aria-label={`Edit ${isolated(unsent.title)}`}
          onClick={() => onEdit(unsent)}
        >
          Edit
        </button>
      ) : (
        <button
          type="button"
          className={action}
          aria-label={`Try ${isolated(unsent.title)} now`}
          onClick={onTryNow}
        >
          Try now
        </button>
      )}
    </span>
  );
}
