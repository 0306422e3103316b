import { useRef, useState, type KeyboardEvent } from "react";
import type { PickerOption } from "#web/ui/form/multi-picker.tsx";
import { PickerList } from "#web/ui/form/picker-list.tsx";
import { PopoverContent } from "#web/ui/dialog/popover.tsx";
import { bestFirst, useSearch, type Search } from "#web/ui/form/use-search.ts";

type Options<Option> = {
  /** The input's id, or another name that is unique on the page. */
  id: string;
  search: Search<Option>;
  /** Changing it discards earlier results. */
  source: string;
  /** What can be picked of the options found for a text; all of them by default. */
  offered?: (found: Option[], text: string) => Option[];
  onPick: (option: Option) => void;
  /** Opening it again searches for what was typed before. */
  keepsText?: boolean;
};

/**
 * The state and the keyboard of an input with a list that is searched: spread `input` on it, and render `ComboboxList`.
 * ↑ ↓ and the page keys open the list and move in it. Enter opens it and picks, also before the results arrive. Escape
 * closes the list, but not the dialog around it.
 */
export function useCombobox<Option extends PickerOption>(given: Options<Option>) {
  const { id, search, source, offered = (found) => found, onPick, keepsText = false } = given;
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  // Enter was pressed before the results arrived, so their first option will be picked.
  const awaited = useRef(false);
  const input = useRef<HTMLInputElement>(null);
  const found = useSearch(bestFirst(search), {
    text,
    source,
    enabled: open,
    onFound: (options) => awaited.current && pick(offered(options, text)[0]),
  });
  const options = offered(found.options, text);
  const current = Math.min(active, options.length - 1);
  const listId = `${id}-list`;

  const show = (next = keepsText ? text : "") => {
    setText(next);
    setActive(0);
    setOpen(true);
    awaited.current = false;
  };
  const close = () => {
    setOpen(false);
    awaited.current = false;
  };
  const pick = (option: Option | undefined) => {
    if (!option) return;
    onPick(option);
    setText("");
    close();
    input.current?.focus();
  };

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (step) {
      event.preventDefault();
      if (open) setActive(Math.min(Math.max(current + step, 0), options.length - 1));
      else show();
    } else if (event.key === "Enter") {
      // It must not submit the form, and a key that is held must not pick one option after the other.
      event.preventDefault();
      if (event.repeat) return;
      if (!open) show();
      else if (found.settled) pick(options[current]);
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

  return {
    open,
    text,
    busy: found.busy,
    focus: () => input.current?.focus(),
    show,
    onOpenChange: (next: boolean) => (next ? show() : close()),
    input: {
      ref: input,
      type: "text",
      role: "combobox",
      autoComplete: "off",
      "aria-autocomplete": "list",
      "aria-expanded": open,
      "aria-controls": listId,
      "aria-activedescendant": open && options[current] ? `${listId}-${current}` : undefined,
      onClick: () => !open && show(),
      onKeyDown,
    },
    list: { id: listId, options, active: current, onActive: setActive, onPick: pick, found },
  } as const;
}

type Props<Option extends PickerOption> = {
  box: ReturnType<typeof useCombobox<Option>>;
  label: string;
  /** Shown in an empty list: "No templates found". */
  emptyText: string;
};

/** The list, in the popover whose anchor is the input's parent. */
export function ComboboxList<Option extends PickerOption>({ box, label, emptyText }: Props<Option>) {
  const { found, ...list } = box.list;
  const hidden = found.options.length - list.options.length;
  const text = box.text.trim();
  return (
    <PopoverContent
      role="presentation"
      className="w-(--radix-popover-trigger-width) overflow-hidden p-1.5"
      onOpenAutoFocus={(event) => event.preventDefault()}
      onCloseAutoFocus={(event) => event.preventDefault()}
      onInteractOutside={(event) => {
        const anchor = box.input.ref.current?.parentElement;
        if (event.target instanceof Node && anchor?.contains(event.target)) event.preventDefault();
      }}
    >
      <PickerList
        {...list}
        label={label}
        total={found.total === undefined ? undefined : found.total - hidden}
        busy={!found.settled}
        error={found.error}
        emptyText={hidden > 0 ? "Already chosen" : text ? `Nothing found for “${text}”` : emptyText}
      />
    </PopoverContent>
  );
}
