import { Trash2 } from "lucide-react";
import { useState } from "react";
import { FormProvider } from "react-hook-form";
import { isolated } from "#contract/text/isolate.ts";
import type { Channel } from "#contract/delivery.ts";
import { integrations, type Account, type Provider } from "#contract/calls/integrations.ts";
import { shell } from "#contract/calls/shell.ts";
import { call } from "#web/api/client.ts";
import { showFieldErrors } from "#web/api/field-errors.ts";
import { useWrite } from "#web/api/use-write.ts";
import { ConflictNotice } from "#web/domain/save/save-dialog.tsx";
import { useDiscardQuestion } from "#web/domain/save/use-discard-question.tsx";
import { useSave } from "#web/domain/save/use-save.ts";
import {
  bodyOf,
  differences,
  valuesOf,
  type AccountValues,
} from "#web/features/integrations/account-values.ts";
import { RemoveAccount } from "#web/features/integrations/remove-account.tsx";
import { SettingField } from "#web/features/integrations/setting-field.tsx";
import { TestConnection } from "#web/features/integrations/test-connection.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

type Props = {
  channel: Channel;
  provider: Provider;
  account?: Account;
  onDone: () => void;
  /** Whether a test of what is in the form is running. */
  onTesting?: (testing: boolean) => void;
};

/** Sets an account up or changes it: the fields that its provider names, and how it shares the channel. */
export function AccountForm({ channel, provider, account, onDone, onTesting }: Props) {
  const [removed, setRemoved] = useState<ReadonlySet<string>>(new Set());
  const [removing, setRemoving] = useState(false);
  // The version that the form was filled with. What others change meanwhile must not empty it.
  const [stored, setStored] = useState(account);
  const form = useCheckedForm<AccountValues>({
    defaultValues: valuesOf(provider, account),
    ...(stored && { values: valuesOf(provider, stored) }),
  });
  const { register, formState } = form;
  const changed = formState.isDirty || removed.size > 0;

  const refreshes = [integrations.list, shell.state];
  const check = useWrite(integrations.check, { refreshes });
  const tryOut = useWrite(integrations.tryOut);
  const save = useSave({
    form,
    besides: removed.size > 0,
    save: (values) => {
      const body = bodyOf(values, provider, removed);
      return stored
        ? call(integrations.update, {
            params: { id: stored.id },
            body: { ...body, updatedAt: stored.updatedAt },
          })
        : call(integrations.create, { body: { ...body, channel, kind: values.kind } });
    },
    refreshes,
    saved: ({ name }) => ({
      title: "Settings Updated",
      description: `${isolated(name)} is saved. We're testing the connection.`,
    }),
    failed: (reason) => ({ title: "Error", description: reason }),
    fieldsOnly: true,
    fieldOf: (path) => path,
    onSaved: onDone,
    versions: {
      stored,
      setStored,
      read: async ({ id }) => (await call(integrations.list)).accounts.find((one) => one.id === id)!,
      formOf: (version) => valuesOf(provider, version),
    },
  });
  const { close, discard, question } = useDiscardQuestion({
    unsaved: save.unsaved,
    busy: save.saving,
    what: "The changes to this account will be lost.",
    onClose: onDone,
  });
  const { newer } = save;
  // Someone else's change shows at once where nothing is typed. Otherwise the save says so, but not of what the form
  // doesn't show, such as whether the account is on.
  const follows = (version: Account) => !changed || differences(provider, version, account!).length === 0;
  if (account && stored && !newer && account.updatedAt > stored.updatedAt && follows(stored)) {
    setStored(account);
  }
  const ask = () => {
    if (account?.enabled && !changed) return check.mutateAsync({ params: { id: account.id } });
    form.clearErrors();
    const { settings } = bodyOf(form.getValues(), provider, removed);
    const { kind } = provider;
    return tryOut.mutateAsync({ body: { channel, kind, settings, ...(account && { id: account.id }) } });
  };
  const test = async () => {
    onTesting?.(true);
    try {
      return await ask();
    } finally {
      onTesting?.(false);
    }
  };
  const { errors } = formState;
  const advanced = provider.fields.filter((one) => one.advanced);
  const faulty = (fields: Provider["fields"]) => fields.some(({ name }) => errors.settings?.[name]);
  const sections = [
    ...Map.groupBy(
      provider.fields.filter(({ section }) => section !== ""),
      ({ section }) => section,
    ),
  ];
  const field = (one: Provider["fields"][number]) => (
    <SettingField
      key={`${provider.kind} ${one.name}`}
      field={one}
      account={account}
      removed={removed.has(one.name)}
      onRemoved={(gone) => {
        const next = new Set(removed);
        if (gone) next.add(one.name);
        else next.delete(one.name);
        setRemoved(next);
      }}
    />
  );
  return (
    <FormProvider {...form}>
      <form {...save.form}>
        <fieldset disabled={save.saving} className="min-w-0">
          {save.conflict && stored && newer && (
            <div className="px-4 pt-4">
              <ConflictNotice
                what={`this account (${differences(provider, stored, newer).join(", ")})`}
                {...save.conflict}
                takeTheirs={() => {
                  setRemoved(new Set());
                  save.conflict?.takeTheirs();
                }}
              />
            </div>
          )}
          <div className="grid gap-x-4 gap-y-5 p-4 sm:grid-cols-2">
            <Field
              label={
                <>
                  Name <span className="font-normal text-ink-3">Optional</span>
                </>
              }
              hint="To tell it apart from your other accounts."
              error={errors.name?.message}
            >
              {(wiring) => <Input {...wiring} {...register("name")} placeholder={provider.label} />}
            </Field>
            {provider.fields.filter(({ advanced, section }) => !advanced && section === "").map(field)}
            {provider.about && (
              <p className="text-sm text-pretty text-ink-2 sm:col-span-2">{provider.about}</p>
            )}
          </div>
          {sections.map(([section, fields]) => (
            <details
              key={section}
              open={faulty(fields) || undefined}
              className="border-t border-line px-4 py-3"
            >
              <summary className="cursor-pointer text-sm font-semibold">
                {section} <span className="font-normal text-ink-3">Optional</span>
              </summary>
              <div className="grid gap-x-4 gap-y-5 pt-4 pb-1 sm:grid-cols-2">{fields.map(field)}</div>
            </details>
          ))}
          <details
            open={Boolean(errors.weight ?? errors.ratePerSecond) || faulty(advanced) || undefined}
            className="border-t border-line px-4 py-3"
          >
            <summary className="cursor-pointer text-sm font-semibold">Share and rate limit</summary>
            <div className="grid gap-x-4 gap-y-5 pt-4 pb-1 sm:grid-cols-2">
              <Field
                label="Share"
                hint="Share of the channel's messages, 0 to 100. With 0, it's only a backup."
                error={errors.weight?.message}
              >
                {(wiring) => <Input {...wiring} {...register("weight")} inputMode="numeric" />}
              </Field>
              <Field
                label="Messages per second"
                hint="Leave empty for no limit."
                error={errors.ratePerSecond?.message}
              >
                {(wiring) => <Input {...wiring} {...register("ratePerSecond")} inputMode="numeric" />}
              </Field>
              {advanced.map(field)}
            </div>
          </details>
          <div
            data-keep-clear
            className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-3"
          >
            {account && (
              <Button
                variant="ghost"
                className="mr-auto"
                icon={<Trash2 aria-hidden />}
                onClick={() => setRemoving(true)}
              >
                Remove
              </Button>
            )}
            <Button variant="ghost" onClick={close}>
              {changed || !account ? "Cancel" : "Close"}
            </Button>
            <TestConnection
              variant={account && !changed ? "ink" : "outline"}
              busy={check.isPending || tryOut.isPending}
              test={test}
              onError={(error) => showFieldErrors(form, error)}
            />
            <Button
              type="submit"
              variant={account && !changed ? "outline" : "ink"}
              disabled={account !== undefined && !changed}
              busy={save.saving}
            >
              Save Changes
            </Button>
          </div>
        </fieldset>
      </form>
      {account && (
        <RemoveAccount account={account} open={removing} onOpenChange={setRemoving} onRemoved={discard} />
      )}
      {question}
    </FormProvider>
  );
}
