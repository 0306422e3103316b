import { Eye, EyeOff } from "lucide-react";
import { useState, type ComponentProps } from "react";
import { cx } from "#web/ui/browser/class-names.ts";
import { inputClass, type InputSize } from "#web/ui/form/input.tsx";

type Props = Omit<ComponentProps<"input">, "type"> & { inputSize?: InputSize };

/** A password field with a toggle that shows the text. */
export function PasswordInput({ inputSize, className, ...rest }: Props) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <input
        {...rest}
        type={shown ? "text" : "password"}
        // Even when shown, a password must not be autocorrected or capitalized.
        autoCapitalize="none"
        spellCheck={false}
        className={cx(inputClass(inputSize), "pr-11", className)}
      />
      <button
        type="button"
        className="absolute inset-y-0 right-0 grid w-11 place-items-center rounded-md text-ink-2 hover:text-ink"
        aria-label={shown ? "Hide password" : "Show password"}
        aria-pressed={shown}
        aria-controls={rest.id}
        onClick={() => setShown(!shown)}
      >
        <Icon aria-hidden className="size-4" />
      </button>
    </div>
  );
}
