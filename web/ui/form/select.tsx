import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { cx } from "#web/ui/browser/class-names.ts";
import { inputClass, type InputSize } from "#web/ui/form/input.tsx";

type Props = ComponentProps<"select"> & { inputSize?: InputSize };

/** The native select: best on phones and with screen readers, and no extra code. Children are options. */
export function Select({ inputSize, className, children, ...rest }: Props) {
  return (
    <span className={cx("relative block", className)}>
      <select {...rest} className={cx(inputClass(inputSize), "appearance-none truncate pr-9")}>
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-ink-3"
      />
    </span>
  );
}
