import type { ComponentProps } from "react";
import { cx } from "#web/ui/browser/class-names.ts";
import { inputClass } from "#web/ui/form/input.tsx";

/** A clock time; the value is HH:mm in 24 hours however the platform shows it. */
export function TimeInput({ className, ...rest }: Omit<ComponentProps<"input">, "type">) {
  return <input {...rest} type="time" className={cx(inputClass(), "tabular", className)} />;
}
