import { X } from "lucide-react";
import type { ReactNode } from "react";
import { numberText } from "#contract/text/locale.ts";
import { ComboboxList, useCombobox } from "#web/ui/form/combobox.tsx";
import type { FieldWiring } from "#web/ui/form/field.tsx";
import { Popover, PopoverAnchor } from "#web/ui/dialog/popover.tsx";
import { Spinner } from "#web/ui/feedback/spinner.tsx";
import type { Search } from "#web/ui/form/use-search.ts";

export type PickerOption = {
  /** Unique among all options, such as "group:12". */
  key: string;
  label: string;
  detail?: string;
  /** A number next to the label, such as the number of a group's members. */
  count?: number;
  icon?: ReactNode;
};

type Props<Option extends PickerOption> = Partial<FieldWiring> & {
  value: readonly Option[];
  onChange: (value: Option[]) => void;
  /** Returns the matching options, best first. Called with "" when the list opens. */
  search: Search<Option>;
  /** Changing it discards earlier results, for instance when switching from groups to individuals. */
  source: string;
  placeholder: string;
  /** Shown in an empty list: "No groups available". */
  emptyText: string;
};

/**
 * Picks several options: chips, and a list that the server searches. ⌫ removes the last chip. The list closes after each
 * pick, so that it does not cover what is below, and reopens on typing.
 */
export function MultiPicker<Option extends PickerOption>(props: Props<Option>) {
  const { value, onChange, search, source, placeholder, emptyText, id, ...wiring } = props;
  const chosen = new Set(value.map((option) => option.key));
  const box = useCombobox({
    id: id ?? source,
    search,
    source,
    offered: (found) => found.filter((option) => !chosen.has(option.key)),
    onPick: (option) => onChange([...value, option]),
    keepsText: true,
  });
  const remove = (option: Option) => {
    onChange(value.filter((one) => one.key !== option.key));
    box.focus();
  };

  return (
    <Popover open={box.open} onOpenChange={box.onOpenChange}>
      <PopoverAnchor asChild>
        <div
          role="presentation"
          className="control flex min-h-9 cursor-text flex-wrap items-center gap-1.5 px-2 py-1 touch:min-h-11"
          onMouseDown={(event) => {
            if (event.target !== event.currentTarget) return;
            event.preventDefault();
            box.focus();
            box.input.onClick();
          }}
        >
          {value.map((option) => (
            <Chip key={option.key} option={option} onRemove={() => remove(option)} />
          ))}
          <input
            {...wiring}
            {...box.input}
            id={id}
            placeholder={value.length > 0 ? "Add more" : placeholder}
            value={box.text}
            onChange={(event) => box.show(event.target.value)}
            onKeyDown={(event) => {
              const last = value.at(-1);
              if (event.key === "Backspace" && box.text === "" && last) remove(last);
              else box.input.onKeyDown(event);
            }}
            className="h-7 min-w-28 flex-1 bg-transparent px-1 text-sm outline-none touch:text-[1rem]"
          />
          {box.busy && <Spinner className="text-ink-3" />}
        </div>
      </PopoverAnchor>
      <ComboboxList box={box} label={placeholder} emptyText={emptyText} />
    </Popover>
  );
}

type ChipProps = { option: PickerOption; onRemove: () => void };

/** One that is chosen. */
export function Chip({ option, onRemove }: ChipProps) {
  return (
    <span className="flex max-w-full items-center gap-1.5 rounded-sm bg-quiet-soft py-0.5 pl-2 text-sm font-medium [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-ink-2">
      {option.icon}
      <bdi translate="no" className="truncate">
        {option.label}
      </bdi>
      {option.count !== undefined && <span className="text-ink-3 tabular">{numberText(option.count)}</span>}
      <button
        type="button"
        onClick={onRemove}
        className="grid size-6 shrink-0 place-items-center rounded-sm text-ink-2 hover:bg-line hover:text-ink touch:relative touch:size-9 touch:after:absolute touch:after:-inset-1"
      >
        <X aria-hidden className="size-3.5" />
        <span className="sr-only">
          Remove <bdi translate="no">{option.label}</bdi>
        </span>
      </button>
    </span>
  );
}
