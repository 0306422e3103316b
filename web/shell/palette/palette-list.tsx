/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a native list cannot be searched on the server. */
import { CornerDownLeft } from "lucide-react";
import { useEffect, type MouseEvent } from "react";
import { numberText } from "#contract/text/locale.ts";
import type { PaletteGroup, PaletteItem } from "#web/shell/palette/item.ts";
import { markedParts } from "#web/shell/palette/match.ts";
import { cx } from "#web/ui/browser/class-names.ts";

type Props = {
  id: string;
  groups: readonly PaletteGroup[];
  search: string;
  active: PaletteItem | undefined;
  onActive: (item: PaletteItem) => void;
  onPick: (item: PaletteItem, event: MouseEvent) => void;
};

export const optionId = (list: string, { key }: PaletteItem) => `${list}-${key.replaceAll(/\W+/g, "-")}`;

/** The lines under their headings. The search field keeps the focus and handles the keys. */
export function PaletteList({ id, groups, search, active, onActive, onPick }: Props) {
  const activeId = active && optionId(id, active);
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);
  return (
    <>
      <div id={id} role="listbox" aria-label="Results">
        {groups
          .filter(({ failed }) => !failed)
          .map(({ title, total, items }, index) => (
            <div key={title} role="group" aria-labelledby={`${id}-title-${index}`}>
              <div id={`${id}-title-${index}`} className="px-3 pt-4 pb-1.5 text-[0.8125rem] text-ink-3">
                {title}
                {total !== undefined && <span className="ml-1.5 tabular">{numberText(total)}</span>}
              </div>
              {items.map((item) => (
                <Option
                  key={item.key}
                  id={optionId(id, item)}
                  item={item}
                  search={search}
                  active={item.key === active?.key}
                  onActive={onActive}
                  onPick={onPick}
                />
              ))}
            </div>
          ))}
      </div>
      {groups
        .filter(({ failed }) => failed)
        .map(({ title }) => (
          <p key={title} role="alert" className="px-3 pt-4 text-sm text-bad">
            {`We couldn't search ${title.toLowerCase()}.`}
          </p>
        ))}
    </>
  );
}

type OptionProps = Pick<Props, "search" | "onActive" | "onPick"> & {
  id: string;
  item: PaletteItem;
  active: boolean;
};

function Option({ id, item, search, active, onActive, onPick }: OptionProps) {
  return (
    // The input handles the keys. An option itself never has the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="option"
      aria-selected={active}
      onMouseMove={() => !active && onActive(item)}
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => onPick(item, event)}
      onAuxClick={(event) => event.button === 1 && onPick(item, event)}
      className={cx(
        "relative flex min-h-13 cursor-pointer items-center gap-3 rounded-md px-3 py-1.5 touch:min-h-14",
        active && "bg-hover",
      )}
    >
      {active && (
        <span
          aria-hidden
          className="absolute top-1/2 -left-2 h-5 w-[3px] -translate-y-1/2 rounded-r-full bg-lamp"
        />
      )}
      {item.icon}
      <span className="min-w-0 flex-1">
        <bdi translate="no" className="block truncate font-semibold">
          <Marked text={item.label} search={search} />
        </bdi>
        {item.detail && (
          <bdi translate="no" className="block truncate text-sm text-ink-2">
            <Marked text={item.detail} search={search} />
          </bdi>
        )}
      </span>
      {item.end && <span className="shrink-0 max-sm:hidden">{item.end}</span>}
      {active && !item.end && (
        <span aria-hidden className="flex shrink-0 items-center gap-1.5 text-sm text-ink-2 max-md:hidden">
          <CornerDownLeft className="size-4" /> Open
        </span>
      )}
    </div>
  );
}

function Marked({ text, search }: { text: string; search: string }) {
  return markedParts(text, search).map((part, index) =>
    part.marked ? (
      <mark
        // oxlint-disable-next-line react/no-array-index-key -- parts of one text
        key={index}
        className="bg-transparent font-semibold text-ink underline decoration-line-strong decoration-2 underline-offset-4"
      >
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  );
}
