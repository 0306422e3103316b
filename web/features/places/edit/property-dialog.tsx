import { zodResolver } from "@hookform/resolvers/zod";
import type * as z from "zod";
import type { ReplyOf } from "#contract/endpoint.ts";
import { places, propertyBody } from "#contract/calls/places.ts";
import { isolated } from "#contract/text/isolate.ts";
import { currentZone } from "#contract/text/time-zones.ts";
import { call } from "#web/api/client.ts";
import { useRead } from "#web/api/use-read.ts";
import { OpeningDialog } from "#web/domain/save/opening-dialog.tsx";
import { SaveDialog } from "#web/domain/save/save-dialog.tsx";
import { useSave } from "#web/domain/save/use-save.ts";
import { homeReads } from "#web/features/places/home-reads.ts";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { Select } from "#web/ui/form/select.tsx";
import { useCheckedForm } from "#web/ui/form/use-checked-form.ts";

type Property = ReplyOf<typeof places.create>;
type Form = z.output<typeof propertyBody>;

export type PropertyDialogProps = {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Undefined for a new one. */
  propertyId: number | undefined;
  onSaved?: (property: Property) => void;
};

/** "Add Property" and "Edit Property". Loaded through launcher.ts. */
export default function PropertyDialog({ propertyId, ...props }: PropertyDialogProps) {
  return propertyId === undefined ? (
    <PropertyForm {...props} property={undefined} />
  ) : (
    <EditDialog {...props} propertyId={propertyId} />
  );
}

function EditDialog({
  propertyId,
  ...props
}: Omit<PropertyDialogProps, "propertyId"> & { propertyId: number }) {
  const read = useRead(places.property, { params: { id: propertyId } });
  return (
    <OpeningDialog {...props} title="Edit Property" what="this property" read={read}>
      {(property) => <PropertyForm {...props} property={property} />}
    </OpeningDialog>
  );
}

/** Only what was changed here: someone else may have changed the rest meanwhile. */
const changed = ({ name, address, timeZone }: Form, dirty: { [Field in keyof Form]?: boolean }) => ({
  ...(dirty.name && { name }),
  ...(dirty.address && { address }),
  ...(dirty.timeZone && { timeZone }),
});

const zones = [...new Set(Intl.supportedValuesOf("timeZone").map((zone) => currentZone(zone)))];
const resolver = zodResolver(propertyBody);

function PropertyForm({
  property,
  open,
  onOpenChange,
  onSaved,
}: Omit<PropertyDialogProps, "propertyId"> & { property: Property | undefined }) {
  const { name = "", address = "", timeZone = null } = property ?? {};
  const form = useCheckedForm<Form>({
    resolver: resolver as never,
    defaultValues: { name, address, timeZone },
  });
  const { errors, dirtyFields } = form.formState;
  const saving = useSave({
    form,
    refreshes: homeReads,
    save: (body) =>
      property
        ? call(places.update, { params: { id: property.id }, body: changed(body, dirtyFields) })
        : call(places.create, { body }),
    saved: (saved) => ({
      title: property ? "Property saved" : "Property added",
      description: `“${isolated(saved.name)}” was ${property ? "saved" : "added"}.`,
    }),
    failed: (description) => ({ title: "The property was not saved", description }),
    fieldsOnly: true,
    onSaved: (saved) => {
      onOpenChange(false);
      onSaved?.(saved);
    },
  });
  return (
    <SaveDialog
      open={open}
      onOpenChange={onOpenChange}
      title={property ? "Edit Property" : "Add Property"}
      saving={saving}
      label={property ? "Save" : "Add Property"}
      what="this property"
    >
      <Field
        label="Name"
        required
        error={errors.name?.message}
        hint={
          property
            ? "Groups and people's details follow a new name. The old one still finds it in files and forms."
            : undefined
        }
      >
        {(wiring) => <Input {...wiring} {...form.register("name")} autoComplete="off" data-autofocus />}
      </Field>
      <Field label="Address" error={errors.address?.message}>
        {(wiring) => <Input {...wiring} {...form.register("address")} autoComplete="off" />}
      </Field>
      <Field
        label="Time zone"
        error={errors.timeZone?.message}
        hint="Days of moving in and out begin and end there at midnight."
      >
        {(wiring) => (
          <Select
            {...wiring}
            {...form.register("timeZone", { setValueAs: (zone: string | null) => zone || null })}
          >
            <option value="">The organization's</option>
            {zones.map((zone) => (
              <option key={zone} value={zone}>
                {zone.replaceAll("_", " ")}
              </option>
            ))}
          </Select>
        )}
      </Field>
    </SaveDialog>
  );
}
