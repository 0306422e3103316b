import { Link } from "@tanstack/react-router";
import { CircleQuestionMark } from "lucide-react";
import type { ReactNode } from "react";
import { usePageTitle } from "#web/ui/page/page-title.ts";

type Props = {
  title: string;
  subtitle?: string;
  actions?: ReactNode;
  above?: ReactNode;
  /** The help topic about this screen. */
  help?: string;
};

/** A screen's heading, which also sets the tab's title. */
export function PageHeader({ title, subtitle, actions, above, help }: Props) {
  usePageTitle(title);
  return (
    <header className="flex flex-col gap-4 pb-6">
      {above}
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <div className="flex items-center gap-1.5">
            <h1 className="min-w-0 text-2xl font-bold tracking-tight break-words md:text-[1.6875rem]">
              {title}
            </h1>
            {help && (
              <Link
                to="/help"
                hash={help}
                aria-label="About this screen"
                title="About this screen"
                className="grid size-8 shrink-0 place-items-center rounded-md text-ink-3 hover:bg-hover hover:text-ink touch:-my-1.5 touch:size-11 print:hidden"
              >
                <CircleQuestionMark aria-hidden className="size-4.5" />
              </Link>
            )}
          </div>
          {subtitle && <p className="mt-1 text-ink-2">{subtitle}</p>}
        </div>
        {actions && (
          <div className="flex flex-wrap items-center gap-2 max-sm:w-full max-sm:*:flex-1">{actions}</div>
        )}
      </div>
    </header>
  );
}
