import { KeyRound, MailQuestion, Pencil, Smartphone, Trash2 } from "lucide-react";
import { useState } from "react";
import type { CurrentUser } from "#contract/calls/auth.ts";
import { users, type UserDetail } from "#contract/calls/users.ts";
import { useMay } from "#web/api/session.ts";
import { useRead } from "#web/api/use-read.ts";
import { ConsentHistory } from "#web/features/users/person/consent-history.tsx";
import {
  PersonDeliveries,
  type Outcome as OutcomeOf,
} from "#web/features/users/person/person-deliveries.tsx";
import { PersonFacts } from "#web/features/users/person/person-facts.tsx";
import { PersonHomes } from "#web/features/users/person/person-homes.tsx";
import { ResetTwoFactor } from "#web/features/users/person/reset-two-factor.tsx";
import { SendCredentials } from "#web/features/users/person/send-credentials.tsx";
import { Suppressions } from "#web/features/users/person/suppressions.tsx";
import type { PersonAction } from "#web/features/users/row-menu.tsx";
import { changeRefusal, deleteRefusal } from "#web/features/users/who-may-change.ts";
import { Avatar, personName } from "#web/domain/avatar.tsx";
import { useRecentItem } from "#web/domain/recent-items.ts";
import { Banner } from "#web/ui/feedback/banner.tsx";
import { Button, buttonClass } from "#web/ui/page/button.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { ReadStates, isMissing } from "#web/ui/feedback/read-states.tsx";
import { RoleBadge } from "#web/domain/role-badge.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { WriteLink } from "#web/domain/write-link.tsx";

type Props = {
  actor: CurrentUser;
  personId: number;
  Outcome: OutcomeOf;
  onAction: (action: PersonAction, person: UserDetail) => void;
  onClose: () => void;
};

/** Everything about one person, next to the list, or as a sheet on phones. */
export function PersonPanel({ actor, personId, Outcome, onAction, onClose }: Props) {
  // Cached data is shown immediately and fetched again, because the person may have changed their preferences.
  const read = useRead(users.detail, { params: { id: personId } }, { fresh: true });
  const person = read.data;
  const mayReset = useMay("accounts:write");
  useRecentItem("person", personId, person && personName(person));
  return (
    <Dialog
      side
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={
        person ? (
          <span className="flex gap-3">
            <Avatar person={person} className="size-10 text-sm" />
            <bdi translate="no" className="min-w-0 self-center wrap-anywhere">
              {personName(person)}
            </bdi>
          </span>
        ) : (
          "User details"
        )
      }
      footer={
        person && !isMissing(read.error) && <Actions person={person} actor={actor} onAction={onAction} />
      }
    >
      <ReadStates
        read={read}
        failed="Error loading this person"
        missing={
          <EmptyState
            title="This person has been deleted"
            hint="They were deleted, or the address is wrong. Messages sent to them stay with the notification."
          />
        }
        skeleton={<PanelSkeleton />}
      >
        {(found) => (
          <div className="flex flex-col gap-7">
            <div className="flex flex-wrap items-center gap-2">
              <RoleBadge role={found.role} />
              {found.id === actor.id && <span className="text-sm text-ink-2">This is you.</span>}
              <WriteLink write={`user:${found.id}`} className={cx(buttonClass({ size: "sm" }), "ml-auto")} />
            </div>
            {!found.addressConfirmed && (
              <Banner tone="warn" icon={<MailQuestion />} title="Hasn't confirmed their email address yet.">
                {found.stranger
                  ? "They registered on their own, so they aren't in any rule-based group yet. If you know who they are, confirm it for them under Edit, or send credentials."
                  : "They changed it themselves, so we don't send email there until they use the link in the one we sent. If you know it's theirs, confirm it for them under Edit."}
              </Banner>
            )}
            {!found.phoneConfirmed && (
              <Banner tone="warn" icon={<Smartphone />} title="Hasn't confirmed their phone number yet.">
                They entered it themselves, so we don't text there until they use the link that we text there.
                If you know it's theirs, confirm it for them under Edit.
              </Banner>
            )}
            <Suppressions person={found} />
            <PersonFacts person={found} />
            <PersonHomes personId={found.id} />
            {found.twoFactor && mayReset && found.id !== actor.id && <ResetTwoFactor person={found} />}
            <ConsentHistory person={found} />
            <PersonDeliveries person={found} Outcome={Outcome} />
          </div>
        )}
      </ReadStates>
    </Dialog>
  );
}

type ActionsProps = { person: UserDetail; actor: CurrentUser; onAction: Props["onAction"] };

function Actions({ person, actor, onAction }: ActionsProps) {
  const [sending, setSending] = useState(false);
  const noChange = changeRefusal(actor, person);
  const noDelete = deleteRefusal(actor, person);
  const reasons = [...new Set([noChange, noDelete])].filter(Boolean).join(" ");
  return (
    <>
      {reasons && <p className="w-full text-sm text-ink-2">{reasons}</p>}
      <Button
        variant="ghost"
        className="mr-auto"
        icon={<Trash2 aria-hidden />}
        disabled={Boolean(noDelete)}
        onClick={() => onAction("delete", person)}
      >
        Delete
      </Button>
      <Button icon={<KeyRound aria-hidden />} disabled={Boolean(noChange)} onClick={() => setSending(true)}>
        Send credentials
      </Button>
      <Button
        variant="ink"
        className="max-sm:order-first max-sm:w-full"
        icon={<Pencil aria-hidden />}
        disabled={Boolean(noChange)}
        onClick={() => onAction("edit", person)}
      >
        Edit
      </Button>
      {sending && <SendCredentials person={person} onClose={() => setSending(false)} />}
    </>
  );
}

function PanelSkeleton() {
  return (
    <div aria-hidden className="flex flex-col gap-5">
      <Skeleton className="h-6.5 w-24" />
      <Skeleton className="h-40 rounded-md" />
      {[0, 1, 2, 3].map((line) => (
        <Skeleton key={line} className="h-12" />
      ))}
    </div>
  );
}
