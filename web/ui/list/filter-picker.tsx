import type { ReactNode } from "react";
import { Button } from "#web/ui/page/button.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import type { PickerOption } from "#web/ui/form/multi-picker.tsx";
import { PopoverPicker } from "#web/ui/form/popover-picker.tsx";
import type { Search } from "#web/ui/form/use-search.ts";

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

/** A filter with more options than fit in a menu, so the server searches them. */
export function FilterPicker({ label, all, icon, chosen, onChange, search, placeholder }: Props) {
  return (
    <PopoverPicker
      label={label}
      search={search}
      source={label}
      offered={(found, text) => (text === "" ? [{ key: "", label: all }, ...found] : found)}
      onPick={({ key }) => onChange(key || undefined)}
      placeholder={placeholder}
    >
      <Button
        icon={icon}
        aria-label={chosen ? `${label}: ${chosen}` : label}
        className={cx("max-md:flex-1", chosen && "border-ink bg-hover")}
      >
        <bdi translate="no" className="max-w-48 truncate">
          {chosen ?? label}
        </bdi>
      </Button>
    </PopoverPicker>
  );
}
