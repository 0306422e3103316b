import { Check, CircleAlert, ExternalLink } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import { channelMeaning } from "#contract/delivery.ts";
import { integrations, type Account, type Provider } from "#contract/calls/integrations.ts";
import { CancelledError } from "#web/api/call-errors.ts";
import { reasonWithoutStatus } from "#web/api/reason-of.ts";
import { useWrite } from "#web/api/use-write.ts";
import { AddressField, OnlyHere } from "#web/features/integrations/webhook-address.tsx";
import { SendTestButton } from "#web/features/integrations/send-test.tsx";
import { Button, buttonClass } from "#web/ui/page/button.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { PasswordInput } from "#web/ui/form/password-input.tsx";

/** It sends, but nobody has told its provider where to report, or nothing that it reports can be accepted. */
export function isStepLeft({ enabled, state, webhook }: Account): boolean {
  if (!enabled || state !== "Connected" || !webhook || webhook.reported) return false;
  return !webhook.automatic || webhook.missing !== null || webhook.localOnly;
}

type Props = { account: Account; provider: Provider | undefined };

/** What is still to do once an account sends: have its provider report. It goes away with the first report. */
export function FirstReport({ account, provider }: Props) {
  const { name, reason, webhook, channel } = account;
  const { one, many } = channelMeaning[channel];
  if (!webhook) return null;
  const field = provider?.fields.find((asked) => asked.name === webhook.missing);
  return (
    <section aria-label="Delivery reports" className="border-t border-line">
      <div className="flex items-start gap-2.5 bg-warn-soft px-4 py-3 text-sm">
        <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
        <div className="min-w-0">
          <h3 className="font-semibold text-warn">One step left: delivery reports</h3>
          <p>{`The ${many} go out. Until ${account.provider} reports back, you don't see which ones arrived.`}</p>
        </div>
      </div>
      <ol className="flex flex-col gap-4 px-4 py-4 text-sm">
        <Step done title="Account connected">
          <p className="break-words text-ink-2">{reason}</p>
        </Step>
        <Step
          number={2}
          title={
            webhook.automatic
              ? `Let ${account.provider} report here`
              : `Tell ${account.provider} where to report`
          }
        >
          {!webhook.automatic && <AddressField id={account.id} webhook={webhook} />}
          {webhook.localOnly && (
            <OnlyHere name={name} what={webhook.automatic ? "this server" : "this address"} />
          )}
          {!webhook.automatic && provider?.site && (
            <a
              href={provider.site}
              target="_blank"
              rel="noreferrer"
              className={`${buttonClass({})} self-start`}
            >
              Open {account.provider} <ExternalLink aria-hidden />
            </a>
          )}
          {field && <MissingKey account={account} field={field} />}
        </Step>
        <Step waiting title="Waiting for the first report">
          <p className="text-ink-2">
            {webhook.localOnly
              ? `This turns green automatically once ${account.provider} can reach this server.`
              : `This turns green automatically. A test ${one} brings a report in seconds.`}
          </p>
          <SendTestButton account={account}>{`Send me a test ${one}`}</SendTestButton>
        </Step>
      </ol>
    </section>
  );
}

type StepProps = { title: string; children: ReactNode; done?: boolean; waiting?: boolean; number?: number };

function Step({ title, children, done, waiting, number }: StepProps) {
  return (
    <li className="flex gap-3">
      <span
        aria-hidden
        className={`grid size-6 shrink-0 place-items-center rounded-full text-sm font-semibold [&_svg]:size-4 ${done ? "bg-good-soft text-good" : waiting ? "" : "bg-warn text-card"}`}
      >
        {done ? (
          <Check />
        ) : waiting ? (
          <span className="size-3 animate-pulse rounded-full bg-lamp motion-reduce:animate-none" />
        ) : (
          number
        )}
      </span>
      <div className="flex min-w-0 flex-1 flex-col gap-2">
        <h4 className="font-semibold">{title}</h4>
        {children}
      </div>
    </li>
  );
}

/** The setting without which no report is accepted, to paste it where one has just copied the address. */
function MissingKey({ account, field }: { account: Account; field: Provider["fields"][number] }) {
  const form = useId();
  const [value, setValue] = useState("");
  const update = useWrite(integrations.update, { refreshes: [integrations.list] });
  const error = update.error instanceof CancelledError ? null : update.error;
  return (
    <form
      id={form}
      onSubmit={(event) => {
        event.preventDefault();
        const settings = { ...account.settings, [field.name]: value.trim() };
        update.mutate({ params: { id: account.id }, body: { settings, updatedAt: account.updatedAt } });
      }}
    >
      <Field label={field.label} hint={field.hint} error={error ? reasonWithoutStatus(error) : undefined}>
        {(wiring) => (
          <div className="flex gap-2">
            <PasswordInput
              {...wiring}
              value={value}
              autoComplete="new-password"
              onChange={(event) => setValue(event.target.value)}
            />
            <Button type="submit" busy={update.isPending} disabled={value.trim() === ""}>
              Save
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}
