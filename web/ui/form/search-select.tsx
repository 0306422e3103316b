import { ChevronDown } from "lucide-react";
import { cx } from "#web/ui/browser/class-names.ts";
import { ComboboxList, useCombobox } from "#web/ui/form/combobox.tsx";
import type { FieldWiring } from "#web/ui/form/field.tsx";
import { inputClass } from "#web/ui/form/input.tsx";
import type { PickerOption } from "#web/ui/form/multi-picker.tsx";
import { Popover, PopoverAnchor } from "#web/ui/dialog/popover.tsx";
import { Spinner } from "#web/ui/feedback/spinner.tsx";
import type { Search } from "#web/ui/form/use-search.ts";

type Props<Option extends PickerOption> = FieldWiring & {
  /** The name of the selected option, or "". */
  chosen: string;
  onPick: (option: Option) => void;
  /** Returns the matching options. Called with "" when the list opens. */
  search: Search<Option>;
  /** Shown in the field while nothing is selected. */
  placeholder: string;
  /** Shown in an empty list: "No templates found". */
  emptyText: string;
};

/** Picks one option, which the server searches. Typing alone changes nothing. */
export function SearchSelect<Option extends PickerOption>(props: Props<Option>) {
  const { chosen, onPick, search, placeholder, emptyText, id, ...wiring } = props;
  const box = useCombobox({ id, search, source: id, onPick });

  return (
    <Popover open={box.open} onOpenChange={box.onOpenChange}>
      <PopoverAnchor asChild>
        <span className="relative block">
          <input
            {...wiring}
            {...box.input}
            id={id}
            placeholder={box.open && chosen ? chosen : placeholder}
            value={box.open ? box.text : chosen}
            onChange={(event) => box.show(event.target.value)}
            className={cx(inputClass(), "truncate pr-9", !box.open && "cursor-pointer")}
          />
          <span className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-ink-3">
            {box.busy ? <Spinner /> : <ChevronDown aria-hidden className="size-4" />}
          </span>
        </span>
      </PopoverAnchor>
      <ComboboxList box={box} label={placeholder} emptyText={emptyText} />
    </Popover>
  );
}
