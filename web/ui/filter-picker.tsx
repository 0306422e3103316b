import { useId, useState, type KeyboardEvent, type ReactNode } from "react";
import { Button } from "#web/ui/button.tsx";
import { cx } from "#web/ui/class-names.ts";
import { inputClass } from "#web/ui/input.tsx";
import type { PickerOption } from "#web/ui/multi-picker.tsx";
import { PickerList } from "#web/ui/picker-list.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "#web/ui/popover.tsx";
import { bestFirst, useSearch, type Search } from "#web/ui/use-search.ts";

type Props = {
  label: string;
  /** The option for no filter: "Any property". */
  all: string;
  icon: ReactNode;
  /** The name of the selected option; undefined for no filter. */
  chosen: string | undefined;
  /** Called with the option's key; undefined removes the filter. */
  onChange: (key: string | undefined) => void;
  search: Search<PickerOption>;
  placeholder: string;
};

/** A filter with more options than fit in a menu, so the server searches them. ↑ ↓ and Enter select. */
export function FilterPicker({ label, all, icon, chosen, onChange, search, placeholder }: Props) {
  const listId = useId();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const found = useSearch(bestFirst(search), { text, source: label, enabled: open });
  const clearOption = text === "" ? [{ key: "", label: all }] : [];
  const options = [...clearOption, ...found.options];
  const current = Math.min(active, options.length - 1);
  const ask = (next: string) => {
    setText(next);
    setActive(0);
  };
  const pick = (option: PickerOption | undefined) => {
    if (!option) return;
    onChange(option.key || undefined);
    setOpen(false);
    ask("");
  };

  function onKeyDown(event: KeyboardEvent) {
    // While a character is composed, keys are for the input method.
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step) {
      event.preventDefault();
      setActive(Math.min(Math.max(current + step, 0), options.length - 1));
    } else if (event.key === "Enter" && found.settled) pick(options[current]);
  }

  return (
    <Popover
      open={open}
      onOpenChange={(next) => {
        setOpen(next);
        ask("");
      }}
    >
      <PopoverTrigger>
        <Button
          icon={icon}
          aria-label={chosen ? `${label}: ${chosen}` : label}
          className={cx("max-md:flex-1", chosen && "border-ink bg-hover")}
        >
          <bdi className="max-w-48 truncate">{chosen ?? label}</bdi>
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label={label} className="w-80 overflow-hidden p-1.5">
        <input
          type="text"
          role="combobox"
          aria-label={placeholder}
          aria-autocomplete="list"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={options[current] ? `${listId}-${current}` : undefined}
          autoComplete="off"
          placeholder={placeholder}
          value={text}
          onChange={(event) => ask(event.target.value)}
          onKeyDown={onKeyDown}
          className={cx(inputClass(), "mb-1.5")}
        />
        <PickerList
          id={listId}
          label={label}
          options={options}
          total={found.total === undefined ? undefined : found.total + clearOption.length}
          active={current}
          onActive={setActive}
          onPick={pick}
          busy={!found.settled}
          error={found.error}
          emptyText={`Nothing found for “${text.trim()}”`}
        />
      </PopoverContent>
    </Popover>
  );
}
