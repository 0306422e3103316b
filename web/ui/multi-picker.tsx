import { X } from "lucide-react";
import { useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import type { FieldWiring } from "#web/ui/field.tsx";
import { PickerList } from "#web/ui/picker-list.tsx";
import { Popover, PopoverAnchor, PopoverContent } from "#web/ui/popover.tsx";
import { Spinner } from "#web/ui/spinner.tsx";
import { useSearch, type Search } from "#web/ui/use-search.ts";

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
 * Picks several options: chips, and a list that the server searches. ↑ ↓ and Enter pick, ⌫ removes the last chip. The
 * list closes after each pick, so that it does not cover what is below, and reopens on typing.
 */
export function MultiPicker<Option extends PickerOption>(props: Props<Option>) {
  const { value, onChange, search, source, placeholder, emptyText, id, ...wiring } = props;
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  // Enter was pressed before the results arrived, so their first option will be picked.
  const awaited = useRef(false);
  const field = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const found = useSearch(search, {
    text,
    source,
    enabled: open,
    onFound(fitting) {
      if (awaited.current) pick(unchosen(fitting)[0]);
    },
  });
  const chosen = new Set(value.map((option) => option.key));
  const unchosen = (fitting: Option[]) => fitting.filter((option) => !chosen.has(option.key));
  const options = unchosen(found.options);
  const hidden = found.options.length - options.length;
  const current = Math.min(active, options.length - 1);
  const listId = `${id ?? source}-list`;

  const type = (next: string) => {
    setText(next);
    setActive(0);
    awaited.current = false;
    setOpen(true);
  };
  const close = () => {
    setOpen(false);
    awaited.current = false;
  };
  const pick = (option: Option | undefined) => {
    if (!option) return;
    onChange([...value, option]);
    type("");
    close();
    input.current?.focus();
  };
  const remove = (option: Option) => {
    onChange(value.filter((one) => one.key !== option.key));
    input.current?.focus();
  };

  function onKeyDown(event: KeyboardEvent) {
    // While a character is composed, keys are for the input method.
    if (event.nativeEvent.isComposing) return;
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    const step = moves[event.key];
    if (step) {
      event.preventDefault();
      if (open) setActive(Math.min(Math.max(current + step, 0), options.length - 1));
      else setOpen(true);
    } else if (event.key === "Enter") {
      // Enter picks. It must not submit the form, especially right after a pick.
      event.preventDefault();
      if (open && found.settled) pick(options[current]);
      else awaited.current = open;
    } else if (event.key === "Escape" && open) {
      // Close only the list, not the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      close();
    } else if (event.key === "Backspace" && text === "") {
      const last = value.at(-1);
      if (last) remove(last);
    } else if (event.key === "Tab") {
      close();
    }
  }

  return (
    <Popover open={open} onOpenChange={(next) => (next ? setOpen(true) : close())}>
      <PopoverAnchor asChild>
        <div
          ref={field}
          role="presentation"
          className="control flex min-h-9 cursor-text flex-wrap items-center gap-1.5 px-2 py-1 touch:min-h-11"
          onMouseDown={(event) => {
            if (event.target !== event.currentTarget) return;
            event.preventDefault();
            input.current?.focus();
            setOpen(true);
          }}
        >
          {value.map((option) => (
            <Chip key={option.key} option={option} onRemove={() => remove(option)} />
          ))}
          <input
            {...wiring}
            id={id}
            ref={input}
            type="text"
            role="combobox"
            autoComplete="off"
            aria-autocomplete="list"
            aria-expanded={open}
            aria-controls={listId}
            aria-activedescendant={open && options[current] ? `${listId}-${current}` : undefined}
            placeholder={value.length > 0 ? "Add more" : placeholder}
            value={text}
            onChange={(event) => type(event.target.value)}
            onClick={() => setOpen(true)}
            onKeyDown={onKeyDown}
            className="h-7 min-w-28 flex-1 bg-transparent px-1 text-sm outline-none touch:text-[1rem]"
          />
          {found.busy && <Spinner className="text-ink-3" />}
        </div>
      </PopoverAnchor>
      <PopoverContent
        role="presentation"
        className="w-(--radix-popover-trigger-width) overflow-hidden p-1.5"
        onOpenAutoFocus={(event) => event.preventDefault()}
        onCloseAutoFocus={(event) => event.preventDefault()}
        onInteractOutside={(event) => {
          if (event.target instanceof Node && field.current?.contains(event.target)) event.preventDefault();
        }}
      >
        <PickerList
          id={listId}
          label={placeholder}
          options={options}
          total={found.total === undefined ? undefined : found.total - hidden}
          active={current}
          onActive={setActive}
          onPick={pick}
          busy={!found.settled}
          error={found.error}
          emptyText={
            hidden > 0 ? "Already chosen" : text.trim() ? `Nothing found for “${text.trim()}”` : emptyText
          }
        />
      </PopoverContent>
    </Popover>
  );
}

type ChipProps = { option: PickerOption; onRemove: () => void };

function Chip({ option, onRemove }: ChipProps) {
  return (
    <span className="flex max-w-full items-center gap-1.5 rounded-sm bg-quiet-soft py-0.5 pl-2 text-sm font-medium [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-ink-2">
      {option.icon}
      <bdi className="truncate">{option.label}</bdi>
      {option.count !== undefined && (
        <span className="text-ink-3 tabular">{option.count.toLocaleString("en-US")}</span>
      )}
      <button
        type="button"
        aria-label={`Remove ${option.label}`}
        onClick={onRemove}
        className="grid size-6 shrink-0 place-items-center rounded-sm text-ink-2 hover:bg-line hover:text-ink touch:relative touch:size-9 touch:after:absolute touch:after:-inset-1"
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </span>
  );
}
