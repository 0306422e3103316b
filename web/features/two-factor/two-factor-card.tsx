import { Fingerprint, LifeBuoy, Pencil, Smartphone, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { isolated } from "#contract/text/isolate.ts";
import type { ReplyOf } from "#contract/endpoint.ts";
import { twoFactor, type Passkey } from "#contract/calls/two-factor.ts";
import { useRead } from "#web/api/use-read.ts";
import { FactorDialogs, type FactorAction } from "#web/features/two-factor/factor-dialogs.tsx";
import { passkeyObstacle } from "#web/features/two-factor/passkey-obstacle.ts";
import { Badge } from "#web/ui/feedback/badge.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { ReadStates } from "#web/ui/feedback/read-states.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { When } from "#web/ui/time/when.tsx";

type Factors = ReplyOf<typeof twoFactor.read>;

/** Your own second factors: those you have, and those you can add or remove. */
export function TwoFactorCard() {
  return (
    <ReadStates
      read={useRead(twoFactor.read, {}, { fresh: true })}
      failed="Error loading your two-factor authentication"
      skeleton={<Skeleton className="m-5 h-32" />}
    >
      {(factors) => <FactorList factors={factors} />}
    </ReadStates>
  );
}

function FactorList({ factors }: { factors: Factors }) {
  const [action, setAction] = useState<FactorAction>();
  const on = factors.app !== null || factors.passkeys.length > 0;
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-3.5 text-sm text-ink-2 md:px-5">
        <Badge tone={on ? "good" : "quiet"}>{on ? "On" : "Off"}</Badge>
        {on
          ? "You sign in with your password and a second step, or with a passkey alone."
          : "Without it, anyone who has your password can sign in."}
        {factors.required && " Required for administrators."}
      </p>
      <App factors={factors} onAction={setAction} />
      <Passkeys factors={factors} onAction={setAction} />
      {on && (
        <Row icon={<LifeBuoy />} title="Recovery codes" detail={codesText(factors.recoveryCodesLeft)}>
          <Button size="sm" onClick={() => setAction({ type: "new-codes" })}>
            New codes
          </Button>
        </Row>
      )}
      <FactorDialogs action={action} onAction={setAction} />
    </>
  );
}

const codesText = (left: number) =>
  left === 0
    ? "None left. Make new ones, so that a lost phone doesn't lock you out."
    : `${left} of 10 left, for when you lose your phone. Each works once.`;

type PartProps = { factors: Factors; onAction: (action: FactorAction) => void };

function App({ factors: { app }, onAction }: PartProps) {
  return (
    <Row
      icon={<Smartphone />}
      title="Authenticator app"
      detail={
        app ? (
          <>
            Added <When at={app.since} as="sentence" />
          </>
        ) : (
          "An app on your phone shows a new code every 30 seconds."
        )
      }
    >
      {app && (
        <Button size="sm" variant="ghost" onClick={() => onAction({ type: "remove-app" })}>
          Remove
        </Button>
      )}
      <Button size="sm" onClick={() => onAction({ type: "set-up-app" })}>
        {app ? "Change phone" : "Set up"}
      </Button>
    </Row>
  );
}

function Passkeys({ factors: { passkeys, passkeyOrigin }, onAction }: PartProps) {
  const obstacle = passkeyObstacle(passkeyOrigin);
  return (
    <>
      <Row
        icon={<Fingerprint />}
        title="Passkeys"
        detail={obstacle ?? "Sign in with your fingerprint, face or screen lock instead of a password."}
      >
        {!obstacle && (
          <Button size="sm" onClick={() => onAction({ type: "add-passkey" })}>
            Add passkey
          </Button>
        )}
      </Row>
      {passkeys.length > 0 && (
        <ul
          aria-label="Passkeys"
          className="divide-y divide-line border-b border-line pl-[3.875rem] md:pl-[4.125rem]"
        >
          {passkeys.map((passkey) => (
            <PasskeyRow key={passkey.id} passkey={passkey} onAction={onAction} />
          ))}
        </ul>
      )}
    </>
  );
}

function PasskeyRow({ passkey, onAction }: { passkey: Passkey; onAction: PartProps["onAction"] }) {
  const { name, createdAt, lastUsedAt, madeFor } = passkey;
  return (
    <li className="flex items-center gap-1 py-2.5 pr-4 text-sm md:pr-5">
      <div className="min-w-0 flex-1">
        <p className="font-semibold break-words">{name}</p>
        <p className="text-ink-3">
          Added <When at={createdAt} as="sentence" /> ·{" "}
          {lastUsedAt ? (
            <>
              Last used <When at={lastUsedAt} as="ago" />
            </>
          ) : (
            "Not used yet"
          )}
        </p>
        {madeFor && (
          <p className="text-warn">
            Made for {madeFor}, so it doesn't work at this address. Add a new one and remove this one.
          </p>
        )}
      </div>
      <Button
        size="icon"
        variant="ghost"
        aria-label={`Rename ${isolated(name)}`}
        icon={<Pencil aria-hidden />}
        onClick={() => onAction({ type: "rename-passkey", passkey })}
      />
      <Button
        size="icon"
        variant="ghost"
        aria-label={`Remove ${isolated(name)}`}
        icon={<Trash2 aria-hidden />}
        onClick={() => onAction({ type: "remove-passkey", passkey })}
      />
    </li>
  );
}

type RowProps = { icon: ReactNode; title: string; detail: ReactNode; children?: ReactNode };

function Row({ icon, title, detail, children }: RowProps) {
  return (
    <div className="flex flex-wrap items-center gap-x-3.5 gap-y-2.5 border-b border-line px-4 py-3.5 last:border-b-0 md:px-5">
      <span
        aria-hidden
        className="grid size-9 shrink-0 place-items-center self-start rounded-md bg-sunk text-ink-2 [&_svg]:size-4.5"
      >
        {icon}
      </span>
      <div className="min-w-48 flex-1 text-sm">
        <p className="font-semibold">{title}</p>
        <p className="text-ink-2">{detail}</p>
      </div>
      <div className="ml-auto flex flex-wrap justify-end gap-2">{children}</div>
    </div>
  );
}
