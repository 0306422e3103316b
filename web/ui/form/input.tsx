import type { ComponentProps } from "react";
import { cx } from "#web/ui/browser/class-names.ts";

export type InputSize = "md" | "lg";

// 16 px on touch screens. Phones zoom into fields with smaller text.
const sizes: Record<InputSize, string> = {
  md: "h-9 px-3 text-sm touch:h-11 touch:text-[1rem]",
  lg: "h-11 px-3 text-base touch:text-[1rem]",
};

export function inputClass(size: InputSize = "md") {
  return cx("control w-full min-w-0", sizes[size]);
}

export function Input({
  inputSize,
  className,
  ...rest
}: ComponentProps<"input"> & { inputSize?: InputSize }) {
  return <input type="text" {...rest} className={cx(inputClass(inputSize), className)} />;
}
