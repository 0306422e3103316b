import { ChevronDown } from "lucide-react";
import { useRef, useState, type KeyboardEvent } from "react";
import { cx } from "#web/ui/class-names.ts";
import type { FieldWiring } from "#web/ui/field.tsx";
import { inputClass } from "#web/ui/input.tsx";
import type { PickerOption } from "#web/ui/multi-picker.tsx";
import { PickerList } from "#web/ui/picker-list.tsx";
import { Popover, PopoverAnchor, PopoverContent } from "#web/ui/popover.tsx";
import { Spinner } from "#web/ui/spinner.tsx";
import { useSearch, type Search } from "#web/ui/use-search.ts";

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

/** Picks one option, which the server searches. ↑ ↓ and Enter pick. Typing alone changes nothing. */
export function SearchSelect<Option extends PickerOption>(props: Props<Option>) {
  const { chosen, onPick, search, placeholder, emptyText, id, ...wiring } = props;
  const field = useRef<HTMLInputElement>(null);
  const [open, setOpen] = useState(false);
  // Undefined if nothing has been typed since it opened.
  const [text, setText] = useState<string>();
  const [active, setActive] = useState(0);
  // Enter was pressed before the results arrived, so their first option will be picked.
  const awaited = useRef(false);
  const asked = text ?? "";
  const found = useSearch(search, {
    text: asked,
    source: id,
    enabled: open,
    onFound: (options) => awaited.current && pick(options[0]),
  });
  const current = Math.min(active, found.options.length - 1);
  const listId = `${id}-list`;

  const show = (typed?: string) => {
    setText(typed);
    setActive(0);
    setOpen(true);
    awaited.current = false;
  };
  const close = () => {
    setOpen(false);
    setText(undefined);
    awaited.current = false;
  };
  const pick = (option: Option | undefined) => {
    if (!option) return;
    onPick(option);
    close();
    field.current?.focus();
  };

  function onKeyDown(event: KeyboardEvent) {
    // While a character is composed, keys are for the input method.
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step) {
      event.preventDefault();
      if (open) setActive(Math.min(Math.max(current + step, 0), found.options.length - 1));
      else show();
    } else if (event.key === "Enter") {
      // It must not submit the form.
      event.preventDefault();
      if (!open) show();
      else if (found.settled) pick(found.options[current]);
      else awaited.current = true;
    } else if (event.key === "Escape" && open) {
      // Close only the list, not the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === "Tab") {
      close();
    }
  }

  return (
    <Popover open={open} onOpenChange={(next) => (next ? show() : close())}>
      <PopoverAnchor asChild>
        <span className="relative block">
          <input
            {...wiring}
            id={id}
            ref={field}
            type="text"
            role="combobox"
            autoComplete="off"
            aria-autocomplete="list"
            aria-expanded={open}
            aria-controls={listId}
            aria-activedescendant={open && found.options[current] ? `${listId}-${current}` : undefined}
            placeholder={open && chosen ? chosen : placeholder}
            value={open ? asked : chosen}
            onChange={(event) => show(event.target.value)}
            onClick={() => !open && show()}
            onKeyDown={onKeyDown}
            className={cx(inputClass(), "truncate pr-9", !open && "cursor-pointer")}
          />
          <span className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-ink-3">
            {found.busy ? <Spinner /> : <ChevronDown aria-hidden className="size-4" />}
          </span>
        </span>
      </PopoverAnchor>
      <PopoverContent
        role="presentation"
        className="w-(--radix-popover-trigger-width) overflow-hidden p-1.5"
        onOpenAutoFocus={(event) => event.preventDefault()}
        onCloseAutoFocus={(event) => event.preventDefault()}
        onInteractOutside={(event) => {
          if (event.target === field.current) event.preventDefault();
        }}
      >
        <PickerList
          id={listId}
          label={placeholder}
          options={found.options}
          total={found.total}
          active={current}
          onActive={setActive}
          onPick={pick}
          busy={!found.settled}
          error={found.error}
          emptyText={asked.trim() ? `Nothing found for “${asked.trim()}”` : emptyText}
        />
      </PopoverContent>
    </Popover>
  );
}
