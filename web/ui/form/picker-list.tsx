/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a native list cannot be searched on the server. */
import { useEffect } from "react";
import { numberText } from "#contract/text/locale.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import type { PickerOption } from "#web/ui/form/multi-picker.tsx";

type Props<Option extends PickerOption> = {
  id: string;
  label: string;
  options: readonly Option[];
  total: number | undefined;
  active: number;
  onActive: (index: number) => void;
  onPick: (option: Option) => void;
  busy: boolean;
  error: string | undefined;
  emptyText: string;
};

/**
 * The options of a picker, while the input keeps the focus. Half a row at the end shows that there are more. The browser only lays out those in view
 * (content-visibility), so we need no virtual list.
 */
export function PickerList<Option extends PickerOption>(props: Props<Option>) {
  const { id, label, options, total, active, onActive, onPick, busy, error, emptyText } = props;
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: "nearest" });
  }, [id, active]);
  const more = (total ?? options.length) - options.length;
  const message = error ?? (options.length > 0 ? undefined : busy ? "Loading..." : emptyText);

  return (
    <>
      <div
        id={id}
        role="listbox"
        aria-label={label}
        className={cx("scroll-quiet max-h-71.5", message && "hidden")}
      >
        {options.map((option, index) => (
          // The input handles the arrow keys. An option itself never has the focus.
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={option.key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            aria-setsize={total ?? options.length}
            aria-posinset={index + 1}
            onMouseMove={() => onActive(index)}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onPick(option)}
            className={cx(
              "flex h-11 cursor-pointer items-center gap-2.5 rounded-sm px-2.5 text-sm [contain-intrinsic-height:2.75rem] [content-visibility:auto]",
              "[&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-ink-3",
              index === active && "bg-hover",
            )}
          >
            {option.icon}
            <span className="min-w-0 flex-1">
              <bdi translate="no" className="block truncate font-medium">
                {option.label}
              </bdi>
              {option.detail && (
                <span className="block truncate text-[0.8125rem] text-ink-3">{option.detail}</span>
              )}
            </span>
            {option.count !== undefined && (
              <span className="text-ink-3 tabular">{numberText(option.count)}</span>
            )}
          </div>
        ))}
      </div>
      {message && (
        <output className={cx("block px-2.5 py-3 text-sm", error ? "text-bad" : "text-ink-3")}>
          {message}
        </output>
      )}
      {!message && more > 0 && (
        <p className="border-t border-line px-2.5 pt-2 pb-1 text-[0.8125rem] text-ink-3">
          {`${numberText(more)} more. Type to narrow`}
        </p>
      )}
    </>
  );
}
