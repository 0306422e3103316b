import { useEffect } from "react";
// oxlint-disable-next-line no-restricted-imports -- here is what every form uses in its place
import { useForm, type FieldValues, type Path, type UseFormProps, type UseFormReturn } from "react-hook-form";

/**
 * A form of react-hook-form that, once it was submitted, is checked as a whole with each change. By itself it would only
 * check the field that changes, and "Passwords do not match" would stay after the other password was put right. What the
 * server said of another field stays: only the server can check it.
 */
export function useCheckedForm<Fields extends FieldValues, Context = unknown, Checked = Fields>(
  props: UseFormProps<Fields, Context, Checked>,
): UseFormReturn<Fields, Context, Checked> {
  const form = useForm<Fields, Context, Checked>(props);
  useEffect(
    () =>
      form.subscribe({
        formState: { values: true },
        callback({ name, isSubmitted, errors }) {
          // Neither a reset nor the check itself names a field.
          if (!name || !isSubmitted) return;
          const told = Object.entries(errors ?? {}).flatMap(([key, error]) => (isTold(error) ? [key] : []));
          const names = Object.keys(form.getValues()).filter((key) => !told.includes(key));
          void form.trigger(names as Path<Fields>[]);
        },
      }),
    [form],
  );
  return form;
}

/** Whether an error, or one of those within it, does not come from the form's own rules. */
function isTold(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  if (!("message" in error)) return Object.values(error).some((inner) => isTold(inner));
  return !("type" in error) || error.type === undefined || error.type === "server" || error.type === "upload";
}
