import { useId, type ReactNode } from "react";
import { Card } from "#web/ui/page/card.tsx";

type Props = {
  title: string;
  hint: ReactNode;
  /** `#anchor` in the URL leads to its first field. */
  anchor?: string;
  children: ReactNode;
};

/** A section of a screen: its heading on the left and its card on the right, or below it on phones. */
export function Section({ title, hint, anchor, children }: Props) {
  const id = useId();
  return (
    <div
      id={anchor}
      ref={anchor ? focusIfTarget : undefined}
      className="grid gap-x-10 gap-y-3 lg:grid-cols-[16rem_minmax(0,1fr)]"
    >
      <div className="lg:pt-1">
        <h2 id={id} className="text-base font-semibold">
          {title}
        </h2>
        <p className="mt-1 text-sm text-pretty text-ink-2">{hint}</p>
      </div>
      <Card aria-labelledby={id} className="min-w-0">
        {children}
      </Card>
    </div>
  );
}

/** Sections appear with their data, which is later than the browser would look for the anchor. */
function focusIfTarget(section: HTMLElement | null): void {
  if (!section || window.location.hash !== `#${section.id}`) return;
  section.querySelector<HTMLElement>("input:not([hidden])")?.focus();
}
