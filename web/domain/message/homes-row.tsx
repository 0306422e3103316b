import { ChevronRight } from "lucide-react";
import { useId, type ReactNode } from "react";
import { counted, people } from "#contract/text/count-text.ts";
import { numberText } from "#contract/text/locale.ts";
import type { ChosenState } from "#web/domain/message/homes-choice.ts";
import { cx } from "#web/ui/browser/class-names.ts";

type RowProps = {
  label: ReactNode;
  /** As text, for the button that opens it. */
  name: string;
  homes: number;
  empty: number;
  living: number;
  /** It is one home. */
  single?: boolean;
  state: ChosenState;
  /** `range`: Shift was held. */
  onTick: (on: boolean, range: boolean) => void;
  open?: boolean;
  onOpen?: (open: boolean) => void;
  children?: ReactNode;
};

/** A line of the tree: a property, a building, a floor, a stack or a home. */
export function HomesRow({
  label,
  name,
  homes,
  empty,
  living,
  single = false,
  state,
  onTick,
  open,
  onOpen,
  children,
}: RowProps) {
  const id = useId();
  return (
    <li className="[&_ul]:pl-5">
      <div className="flex items-center gap-1 rounded-md pr-2.5 select-none hover:bg-hover">
        {onOpen ? (
          <button
            type="button"
            aria-expanded={open}
            aria-label={name}
            onClick={() => onOpen(!open)}
            className="grid size-8 shrink-0 place-items-center rounded-md text-ink-3 hover:text-ink touch:size-11"
          >
            <ChevronRight aria-hidden className={cx("size-4", open && "rotate-90")} />
          </button>
        ) : (
          <span className="w-8 shrink-0 touch:w-3" />
        )}
        <label
          htmlFor={id}
          className="flex min-w-0 flex-1 cursor-pointer items-center gap-2.5 py-1.5 text-sm touch:min-h-11"
        >
          <input
            id={id}
            type="checkbox"
            checked={state === true}
            ref={(box) => {
              if (box) box.indeterminate = state === "some";
            }}
            onChange={({ nativeEvent }) =>
              onTick(state !== true, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
            }
            className="tick size-4.5 shrink-0 rounded-[5px] border border-edge bg-card checked:border-ink checked:bg-ink indeterminate:border-ink indeterminate:bg-ink"
          />
          <span className="line-clamp-2 min-w-0 flex-1 font-medium break-words">{label}</span>
          <span className="flex shrink-0 gap-x-3 text-right text-ink-3 tabular max-sm:flex-col">
            {!single && (
              <span>
                {counted(homes - empty, "home")}
                {empty > 0 && `, ${numberText(empty)} empty`}
              </span>
            )}
            <span className="min-w-18">{single && living === 0 ? "Empty" : people(living)}</span>
          </span>
        </label>
      </div>
      {open && children}
    </li>
  );
}
