import { ChevronRight } from "lucide-react";
import { useId, type ReactNode } from "react";
import { cx } from "#web/ui/browser/class-names.ts";

type Props = {
  title: string;
  /** The current setting, in short. */
  summary: ReactNode;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
};

/** A section of the form that most files need not open. */
export function Disclosure({ title, summary, open, onOpenChange, children }: Props) {
  const id = useId();
  return (
    <section aria-label={title} className="rounded-md border border-line">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => onOpenChange(!open)}
        className="flex w-full items-start gap-2 rounded-md px-3.5 py-2.5 text-left text-sm hover:bg-hover touch:min-h-11"
      >
        <ChevronRight
          aria-hidden
          className={cx("mt-0.5 size-4 shrink-0 text-ink-3 transition-transform", open && "rotate-90")}
        />
        <span className="min-w-0">
          <span className="font-semibold">{title}</span>{" "}
          <span className="break-words text-ink-2">{summary}</span>
        </span>
      </button>
      <div id={id} hidden={!open} className="border-t border-line">
        {children}
      </div>
    </section>
  );
}
