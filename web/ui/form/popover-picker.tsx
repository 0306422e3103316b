import { useId, type ReactElement } from "react";
import { useCombobox } from "#web/ui/form/combobox.tsx";
import { inputClass } from "#web/ui/form/input.tsx";
import type { PickerOption } from "#web/ui/form/multi-picker.tsx";
import { PickerList } from "#web/ui/form/picker-list.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "#web/ui/dialog/popover.tsx";
import type { Search } from "#web/ui/form/use-search.ts";

type Props<Option extends PickerOption> = {
  /** The popover's name. */
  label: string;
  /** The button that opens it. */
  children: ReactElement;
  search: Search<Option>;
  /** Other searches have other ones. */
  source: string;
  /** What can be picked of the options found for a text; all of them by default. */
  offered?: (found: Option[], text: string) => Option[];
  onPick: (option: Option) => void;
  placeholder: string;
};

/** A button that opens a search, whose options the server finds. */
export function PopoverPicker<Option extends PickerOption>(props: Props<Option>) {
  const { label, children, search, source, offered, onPick, placeholder } = props;
  const box = useCombobox({ id: useId(), search, source, onPick, ...(offered && { offered }) });
  const { found, ...list } = box.list;
  return (
    <Popover open={box.open} onOpenChange={box.onOpenChange}>
      <PopoverTrigger>{children}</PopoverTrigger>
      <PopoverContent aria-label={label} className="w-80 overflow-hidden p-1.5">
        <input
          {...box.input}
          aria-label={placeholder}
          placeholder={placeholder}
          value={box.text}
          onChange={(event) => box.show(event.target.value)}
          className={`${inputClass()} mb-1.5`}
        />
        <PickerList
          {...list}
          label={label}
          total={
            found.total === undefined ? undefined : found.total + list.options.length - found.options.length
          }
          busy={!found.settled}
          error={found.error}
          emptyText={box.text.trim() ? `Nothing found for “${box.text.trim()}”` : "Nothing found"}
        />
      </PopoverContent>
    </Popover>
  );
}
