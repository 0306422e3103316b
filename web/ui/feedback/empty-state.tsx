import type { ReactNode } from "react";

type Props = { icon?: ReactNode; title: string; hint?: string; action?: ReactNode };

/** Says that there is nothing here, and what to do next. */
export function EmptyState({ icon, title, hint, action }: Props) {
  return (
    <div className="flex flex-col items-center px-6 py-14 text-center">
      {icon && (
        <span
          aria-hidden
          className="mb-4 grid size-11 place-items-center rounded-lg bg-sunk text-ink-3 [&_svg]:size-5"
        >
          {icon}
        </span>
      )}
      <p className="font-semibold">{title}</p>
      {hint && <p className="mt-1 max-w-sm text-sm text-pretty text-ink-2">{hint}</p>}
      {action && <div className="mt-5">{action}</div>}
    </div>
  );
}
