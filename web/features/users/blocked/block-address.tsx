import { zodResolver } from "@hookform/resolvers/zod";
import { useWatch } from "react-hook-form";
import type * as z from "zod";
import { addressKind, channelMeaning, typedChannels } from "#contract/delivery.ts";
import { blockForm, suppressions } from "#contract/calls/suppressions.ts";
import { users } from "#contract/calls/users.ts";
import { call } from "#web/api/client.ts";
import { nationalPhone } from "#web/domain/phone-number.ts";
import { SaveDialog } from "#web/domain/save/save-dialog.tsx";
import { useUndo } from "#web/domain/save/use-undo.ts";
import { useSave } from "#web/domain/save/use-save.ts";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { Select } from "#web/ui/form/select.tsx";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

type Fields = z.output<typeof blockForm>;
const resolver = zodResolver(blockForm);
const empty: Fields = { channel: "email", address: "", reason: "" };

export type BlockAddressProps = { open: boolean; onOpenChange: (open: boolean) => void };

/** Blocks an address that someone asked us not to use. Loaded through launcher.ts. */
export default function BlockAddress({ open, onOpenChange }: BlockAddressProps) {
  const form = useCheckedForm<Fields>({ resolver, defaultValues: empty });
  const { errors } = form.formState;
  const undo = useUndo();
  const refreshes = [suppressions.list, users.detail, users.list];
  const saving = useSave({
    form,
    refreshes,
    save: (body) => call(suppressions.block, { body }),
    saved({ address }) {
      const channel = form.getValues("channel");
      return {
        title: "Address blocked",
        description: `We won't use ${nationalPhone(address)} anymore.`,
        action: undo({
          make: () => call(suppressions.lift, { body: { channel, address } }),
          refreshes,
          done: { title: "Address unblocked", description: `We'll use ${nationalPhone(address)} again.` },
        }),
      };
    },
    failed: (description) => ({ title: "The address was not blocked", description }),
    fieldsOnly: true,
    onSaved: () => onOpenChange(false),
  });
  const byEmail = addressKind(useWatch({ control: form.control, name: "channel" })) === "email";
  return (
    <SaveDialog
      open={open}
      onOpenChange={onOpenChange}
      title="Block Address"
      description="No message goes to a blocked address, not even an emergency."
      saving={saving}
      label="Block Address"
      what="this address"
    >
      <Field label="Channel" required error={errors.channel?.message}>
        {(wiring) => (
          <Select {...wiring} {...form.register("channel")}>
            {typedChannels.map((name) => (
              <option key={name} value={name}>
                {channelMeaning[name].label}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={byEmail ? "Email address" : "Phone number"} required error={errors.address?.message}>
        {(wiring) => (
          <Input
            {...wiring}
            {...form.register("address")}
            inputMode={byEmail ? "email" : "tel"}
            data-autofocus
          />
        )}
      </Field>
      <Field
        label="Reason"
        required
        hint="Shown wherever a message to this address is skipped."
        error={errors.reason?.message}
      >
        {(wiring) => <Input {...wiring} {...form.register("reason")} />}
      </Field>
    </SaveDialog>
  );
}
