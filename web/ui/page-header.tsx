import type { ReactNode } from "react";
import { usePageTitle } from "#web/ui/page-title.ts";

type Props = { title: string; subtitle?: string; actions?: ReactNode; above?: ReactNode };

/** A screen's heading, which also sets the tab's title. */
export function PageHeader({ title, subtitle, actions, above }: Props) {
  usePageTitle(title);
  return (
    <header className="flex flex-col gap-4 pb-6">
      {above}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 className="text-2xl font-bold tracking-tight break-words md:text-[1.6875rem]">{title}</h1>
          {subtitle && <p className="mt-1 text-ink-2">{subtitle}</p>}
        </div>
        {actions && (
          <div className="flex flex-wrap items-center gap-2 max-sm:w-full max-sm:*:flex-1">{actions}</div>
        )}
      </div>
    </header>
  );
}
