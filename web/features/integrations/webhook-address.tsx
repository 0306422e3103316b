import { Copy, Eye } from "lucide-react";
import { integrations, type Account } from "#contract/calls/integrations.ts";
import { isolated } from "#contract/text/isolate.ts";
import { CancelledError } from "#web/api/call-errors.ts";
import { reasonWithoutStatus } from "#web/api/reason-of.ts";
import { useWrite } from "#web/api/use-write.ts";
import { Button } from "#web/ui/page/button.tsx";
import { copyText } from "#web/ui/browser/copy-text.ts";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { When } from "#web/ui/time/when.tsx";

type Webhook = NonNullable<Account["webhook"]>;
type Props = { id: number; name: string; webhook: Webhook };

/** When the account's provider last reported, and where it does. */
export function WebhookAddress({ id, name, webhook }: Props) {
  const { localOnly, lastEventAt, reported } = webhook;
  return (
    <details className="border-t border-line px-4 py-3 text-sm">
      <summary className="cursor-pointer">
        <span className="font-semibold">Delivery reports</span>{" "}
        {lastEventAt ? (
          <span className="text-good">
            Last received <When at={lastEventAt} as="ago" />
          </span>
        ) : (
          <span className="text-ink-2">
            {reported ? "None received in the last 30 days" : "No report yet. The first one shows here."}
          </span>
        )}
      </summary>
      <div className="flex flex-col gap-3 pt-3 pb-1">
        <AddressField id={id} webhook={webhook} />
        {localOnly && <OnlyHere name={name} what="this address" />}
      </div>
    </details>
  );
}

/** Why the provider can't report, and who can change that. */
export function OnlyHere({ name, what }: { name: string; what: "this address" | "this server" }) {
  return (
    <p className="text-ink-2">
      {`${isolated(name)} can't reach ${what}, because it only opens on the computer that runs Porchlight. Ask whoever runs the server to set its public address (PORCHLIGHT_URL).`}
    </p>
  );
}

/** Where the account's provider reports, to copy. Showing it takes the password. */
export function AddressField({ id, webhook: { url, setUp } }: { id: number; webhook: Webhook }) {
  const show = useWrite(integrations.webhook);
  const address = url ?? show.data?.url;
  const error = show.error instanceof CancelledError ? null : show.error;
  return (
    <Field label="Webhook address" hint={setUp} error={error ? reasonWithoutStatus(error) : undefined}>
      {(wiring) => (
        <div className="flex gap-2">
          <Input
            {...wiring}
            readOnly
            value={address ?? ""}
            placeholder="Hidden"
            onFocus={(event) => event.target.select()}
          />
          {address === undefined ? (
            <Button
              icon={<Eye aria-hidden />}
              busy={show.isPending}
              onClick={() => show.mutate({ params: { id } })}
            >
              Show
            </Button>
          ) : (
            <Button icon={<Copy aria-hidden />} onClick={() => void copyText("Webhook address", address)}>
              Copy
            </Button>
          )}
        </div>
      )}
    </Field>
  );
}
