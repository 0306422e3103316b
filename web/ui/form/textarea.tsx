import type { ComponentProps } from "react";
import { cx } from "#web/ui/browser/class-names.ts";

/** Grows with its text where the browser supports that, and can be dragged taller everywhere. */
export function Textarea({ className, ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea
      rows={4}
      {...rest}
      className={cx(
        "control field-sizing-content max-h-96 min-h-24 w-full resize-y px-3 py-2 text-sm touch:text-[1rem]",
        className,
      )}
    />
  );
}
