import { Layers, X } from "lucide-react";
import type { Home } from "#contract/calls/places.ts";
import { WriteLink } from "#web/domain/write-link.tsx";
import { selectionText } from "#web/features/places/home-text.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import { Button, buttonClass } from "#web/ui/page/button.tsx";

type Props = { propertyId: number; homes: readonly Home[]; onCorrect: () => void; onClear: () => void };

/** What can be done with the selected homes. */
export function SelectionBar({ propertyId, homes, onCorrect, onClear }: Props) {
  return (
    <section
      aria-label="Selected homes"
      className="sticky bottom-4 z-10 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center gap-3 rounded-lg border border-line bg-card py-2 pr-2 pl-4 shadow-dialog"
    >
      <output className="tabular font-semibold max-sm:grow max-sm:basis-2/3">{selectionText(homes)}</output>
      <Button icon={<Layers aria-hidden />} onClick={onCorrect} className="max-sm:order-1 max-sm:grow">
        Correct floors
      </Button>
      {homes.some(({ people }) => people.length > 0) && (
        <WriteLink
          write={`homes:${propertyId}`}
          units={homes.map(({ id }) => id)}
          className={cx(buttonClass({ variant: "ink" }), "max-sm:order-1 max-sm:grow")}
        />
      )}
      <Button
        variant="ghost"
        size="icon"
        icon={<X aria-hidden />}
        aria-label="Clear selection"
        onClick={onClear}
      />
    </section>
  );
}
