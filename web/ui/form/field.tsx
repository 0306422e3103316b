import { CircleAlert } from "lucide-react";
import { useId, type ReactNode } from "react";
import { cx } from "#web/ui/browser/class-names.ts";

/** Connects an input to its label, hint and error. Spread it onto the input. */
export type FieldWiring = {
  id: string;
  "aria-describedby": string | undefined;
  "aria-invalid": true | undefined;
  "aria-required": true | undefined;
};

type Props = {
  label: ReactNode;
  hint?: ReactNode;
  /** The error below the input, which also marks the input invalid. */
  error?: string | undefined;
  required?: boolean;
  /** At the right end of the label's line, such as a segmented control. */
  aside?: ReactNode;
  /** For a control that cannot have a <label>, the label becomes plain text with the id `${id}-label`. */
  group?: boolean;
  className?: string;
  children: (wiring: FieldWiring) => ReactNode;
};

/** One labelled input: `<Field label="Title" error={e}>{(w) => <Input {...w} {...register("title")} />}</Field>`. */
export function Field({ label, hint, error, required, aside, group, className, children }: Props) {
  const id = useId();
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  const Label = group ? "span" : "label";
  return (
    <div className={cx("flex flex-col gap-1.5", className)}>
      <div className="flex flex-wrap items-end justify-between gap-2">
        <Label id={`${id}-label`} {...(group ? {} : { htmlFor: id })} className="text-sm font-semibold">
          {label}
        </Label>
        {aside}
      </div>
      {children({
        id,
        "aria-describedby": described || undefined,
        "aria-invalid": error ? true : undefined,
        "aria-required": required || undefined,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-sm text-ink-3">
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} message={error} />
    </div>
  );
}

/** An error message, announced when it appears. */
export function FieldError({ id, message }: { id?: string; message: string | undefined }) {
  if (!message) return null;
  return (
    <p id={id} role="alert" className="flex items-start gap-1.5 text-sm text-bad">
      <CircleAlert aria-hidden className="mt-[3px] size-4 shrink-0" />
      <span className="min-w-0 break-words">{message}</span>
    </p>
  );
}
