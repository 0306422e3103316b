import { History } from "lucide-react";
import { useRef, useState, type KeyboardEvent } from "react";
import type { AudienceMember } from "#contract/calls/notifications.ts";
import { HomesTree } from "#web/domain/message/homes-tree.tsx";
import { Popover, PopoverAnchor, PopoverContent } from "#web/ui/dialog/popover.tsx";
import type { FieldWiring } from "#web/ui/form/field.tsx";
import { Chip, type PickerOption } from "#web/ui/form/multi-picker.tsx";

type Props = FieldWiring & {
  /** The chips of everything that is chosen. */
  chips: readonly (PickerOption & { member: AudienceMember })[];
  onChange: (members: AudienceMember[]) => void;
  /** The tree shows right away, as someone has just asked for it. */
  opened: boolean;
};

/** Beside every choice of homes. */
export const WHO = "Whoever lives there when it is sent.";

/** Chips, and a tree that opens in place: properties, their buildings, floors, stacks and homes. */
export function HomesPicker({ chips, onChange, opened, id, ...wiring }: Props) {
  const [open, setOpen] = useState(opened);
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const show = (next: boolean) => {
    setOpen(next);
    if (!next) setText("");
  };
  const members = chips.map(({ member }) => member);
  const remove = (key: string) => {
    onChange(chips.filter((chip) => chip.key !== key).map(({ member }) => member));
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const last = chips.at(-1);
    if (event.key === "Backspace" && text === "" && last) remove(last.key);
    else if (event.key === "Enter") {
      event.preventDefault();
      setOpen(true);
    } else if (event.key === "ArrowDown") {
      event.preventDefault();
      setOpen(true);
      panel.current?.querySelector<HTMLElement>("button, input")?.focus();
    } else if (event.key === "Escape" && open) {
      // Close only the tree, not the dialog around it.
      event.preventDefault();
      event.stopPropagation();
      show(false);
    }
  };
  return (
    <Popover open={open} onOpenChange={show}>
      <PopoverAnchor asChild>
        <div
          role="presentation"
          className="control flex min-h-9 cursor-text flex-wrap items-center gap-1.5 px-2 py-1 touch:min-h-11"
          onMouseDown={(event) => {
            if (event.target !== event.currentTarget) return;
            event.preventDefault();
            input.current?.focus();
            setOpen(true);
          }}
        >
          {chips.map((chip) => (
            <Chip key={chip.key} option={chip} onRemove={() => remove(chip.key)} />
          ))}
          <input
            {...wiring}
            id={id}
            ref={input}
            type="text"
            role="combobox"
            aria-haspopup="dialog"
            aria-expanded={open}
            aria-controls={`${id}-homes`}
            autoComplete="off"
            placeholder={chips.length > 0 ? "Add more" : "Search properties and homes"}
            value={text}
            onClick={() => setOpen(true)}
            onChange={(event) => {
              setText(event.target.value);
              setOpen(true);
            }}
            onKeyDown={onKeyDown}
            className="h-7 min-w-28 flex-1 bg-transparent px-1 text-sm outline-none touch:text-[1rem]"
          />
        </div>
      </PopoverAnchor>
      <PopoverContent
        id={`${id}-homes`}
        ref={panel}
        aria-label="Homes"
        className="w-(--radix-popover-trigger-width) overflow-hidden"
        onOpenAutoFocus={(event) => event.preventDefault()}
        onCloseAutoFocus={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          event.stopPropagation();
          show(false);
          input.current?.focus();
        }}
        onInteractOutside={(event) => {
          const anchor = input.current?.parentElement;
          if (event.target instanceof Node && anchor?.contains(event.target)) event.preventDefault();
        }}
      >
        <div className="max-h-72 overflow-y-auto overscroll-contain p-1.5">
          <HomesTree text={text.trim()} members={members} onChange={onChange} />
        </div>
        <p className="flex items-center gap-2 border-t border-line px-4 py-2 text-sm text-ink-3">
          <History aria-hidden className="size-4 shrink-0" />
          {WHO}
        </p>
      </PopoverContent>
    </Popover>
  );
}
