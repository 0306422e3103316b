import { Copy } from "lucide-react";
import type { Account } from "#contract/integrations.ts";
import { Button } from "#web/ui/button.tsx";
import { copyText } from "#web/ui/copy-text.ts";
import { Field } from "#web/ui/field.tsx";
import { Input } from "#web/ui/input.tsx";
import { When } from "#web/ui/when.tsx";

type Props = { name: string; webhook: NonNullable<Account["webhook"]> };

/** Where the account's provider reports, to copy; and when it last did. */
export function WebhookAddress({ name, webhook: { url, setUp, localOnly, lastEventAt } }: Props) {
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
        <Field label="Webhook address" hint={setUp}>
          {(wiring) => (
            <div className="flex gap-2">
              <Input {...wiring} readOnly value={url ?? ""} onFocus={(event) => event.target.select()} />
              <Button icon={<Copy aria-hidden />} onClick={() => void copyText("Webhook address", url ?? "")}>
                Copy
              </Button>
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
