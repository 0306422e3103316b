import { Link } from "@tanstack/react-router";
import { X } from "lucide-react";
import type { Ref } from "react";
import { may } from "#contract/permissions.ts";
import { usePrincipal } from "#web/api/session.ts";
import { useCompanyLogo } from "#web/domain/company-logo.ts";
import { placesFor } from "#web/domain/places.ts";
import { ProviderStatus } from "#web/shell/provider-status.tsx";
import { CompanyLogo } from "#web/ui/page/brand.tsx";
import { buttonClass } from "#web/ui/page/button.tsx";
import { cx } from "#web/ui/browser/class-names.ts";

type Props = { open: boolean; onClose: () => void; ref: Ref<HTMLElement> };

/** 64 units wide. Below 768 px, it slides in over the page. */
export function Sidebar({ open, onClose, ref }: Props) {
  const principal = usePrincipal();
  const sections = Map.groupBy(placesFor(principal, "screens"), ({ menu }) => menu);
  sections.delete(undefined);
  const logo = useCompanyLogo();
  return (
    <>
      {/* For pointers. */}
      <div
        aria-hidden
        onClick={onClose}
        className={cx(
          "fixed inset-0 z-40 bg-(--scrim) transition-opacity duration-200 md:hidden print:hidden",
          !open && "pointer-events-none opacity-0",
        )}
      />
      <aside
        id="sidebar"
        ref={ref}
        tabIndex={-1}
        className={cx(
          "fixed inset-y-0 left-0 z-50 flex w-64 flex-col border-r border-line bg-paper outline-none print:hidden",
          "max-md:duration-200",
          // When hidden, Tab must skip it. When it slides in, it must be visible right away to get the focus.
          open
            ? "max-md:shadow-dialog max-md:transition-transform"
            : "max-md:invisible max-md:-translate-x-full max-md:transition-[transform,visibility]",
        )}
      >
        <button
          type="button"
          aria-label="Close menu"
          onClick={onClose}
          className={cx(buttonClass({ variant: "ghost", size: "icon" }), "absolute top-2 right-2 md:hidden")}
        >
          <X aria-hidden />
        </button>
        <div className="scroll-quiet min-h-0 flex-1 px-3 pb-4">
          <div className="flex justify-center pt-6 pb-8">
            <CompanyLogo src={logo} />
          </div>
          <nav aria-label="Main navigation" className="flex flex-col gap-6">
            {[...sections].map(([heading, links]) => (
              <div key={heading}>
                <h2 className="px-2.5 pb-1.5 text-[0.8125rem] text-ink-3">{heading}</h2>
                <ul className="flex flex-col">
                  {links.map(({ label, Icon, link }) => (
                    <li key={label} className="relative">
                      <Link
                        {...link}
                        onClick={onClose}
                        className="peer flex h-9 items-center gap-3 rounded-md border border-transparent px-2.5 font-medium forced-colors:border-0 text-ink-2 transition-colors hover:bg-hover hover:text-ink touch:h-11 aria-[current=page]:border-line aria-[current=page]:bg-card aria-[current=page]:text-ink"
                      >
                        <Icon aria-hidden className="size-[1.125rem] shrink-0" strokeWidth={1.75} />
                        {label}
                      </Link>
                      <span
                        aria-hidden
                        className="absolute top-1/2 -left-3 hidden h-4.5 w-[3px] -translate-y-1/2 rounded-r-full bg-lamp peer-aria-[current=page]:block"
                      />
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </nav>
        </div>
        {may(principal, "console") && (
          <div className="mx-3 border-t border-line py-2.5">
            <ProviderStatus />
          </div>
        )}
      </aside>
    </>
  );
}
