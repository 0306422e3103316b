import { Copy, Eye } from "lucide-react";
import { integrations, type Account } from "#contract/calls/integrations.ts";
import { reasonWithoutStatus } from "#web/api/reason-of.ts";
import { useWrite } from "#web/api/use-write.ts";
import { Button } from "#web/ui/page/button.tsx";
import { copyText } from "#web/ui/browser/copy-text.ts";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { When } from "#web/ui/time/when.tsx";

type Props = { id: number; name: string; webhook: NonNullable<Account["webhook"]> };

/** Where the account's provider reports, to copy; and when it last did. Showing it takes the password. */
export function WebhookAddress({ id, name, webhook: { url, setUp, localOnly, lastEventAt } }: Props) {
  const show = useWrite(integrations.webhook);
  const address = url ?? show.data?.url;
  return (
    <details className="border-t border-line px-4 py-3 text-sm">
      <summary className="cursor-pointer">
        <span className="font-semibold">Delivery reports</span>{" "}
        <span className="text-ink-2">
          {lastEventAt ? (
            <>
              Last received <When at={lastEventAt} as="ago" />
            </>
          ) : (
            "None received in the last 30 days"
          )}
        </span>
      </summary>
      <div className="flex flex-col gap-3 pt-3 pb-1">
        <Field
          label="Webhook address"
          hint={setUp}
          error={show.error ? reasonWithoutStatus(show.error) : undefined}
        >
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
        {localOnly && (
          <p className="text-ink-2">
            {name} can't reach this address, because it only opens on the computer that runs Porchlight. Set
            PORCHLIGHT_URL to the address that people use.
          </p>
        )}
      </div>
    </details>
  );
}
