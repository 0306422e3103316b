import type { FieldValues, Path, UseFormReturn } from "react-hook-form";
import { ApiError } from "#web/api/call-errors.ts";

/** Shows the server's sentences at their fields and focuses the first one. False if none of the fields is here. */
export function showFieldErrors<Fields extends FieldValues>(
  form: UseFormReturn<Fields>,
  error: unknown,
): boolean {
  if (!(error instanceof ApiError)) return false;
  const known = Object.entries(error.fields).filter(
    ([name]) => (name.split(".")[0] ?? "") in form.getValues(),
  );
  known.forEach(([name, message], index) => {
    form.setError(name as Path<Fields>, { type: "server", message }, { shouldFocus: index === 0 });
  });
  return known.length > 0;
}
