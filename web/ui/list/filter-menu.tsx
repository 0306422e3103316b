import type { ReactNode } from "react";
import { cx } from "#web/ui/browser/class-names.ts";
import { Button } from "#web/ui/page/button.tsx";
import { Menu, MenuContent, MenuRadioGroup, MenuRadioItem, MenuTrigger } from "#web/ui/page/menu.tsx";

type Props<Value extends string> = {
  label: string;
  /** The option for no filter: "Any status". */
  all: string;
  icon: ReactNode;
  options: readonly { value: Value; label: string; icon?: ReactNode; shown?: ReactNode }[];
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
};

/** A filter for a list. It shows the selected option, and the first option removes the filter. */
export function FilterMenu<Value extends string>({
  label,
  all,
  icon,
  options,
  value,
  onChange,
}: Props<Value>) {
  const chosen = options.find((option) => option.value === value);
  return (
    <Menu>
      <MenuTrigger>
        <Button
          icon={chosen?.icon ?? icon}
          aria-label={chosen ? `${label}: ${chosen.label}` : label}
          className={cx("max-md:flex-1", chosen && "border-ink bg-hover")}
        >
          {chosen?.label ?? label}
        </Button>
      </MenuTrigger>
      <MenuContent align="start">
        <MenuRadioGroup
          value={value ?? ""}
          onValueChange={(next) => onChange(options.find((option) => option.value === next)?.value)}
        >
          <MenuRadioItem value="">{all}</MenuRadioItem>
          {options.map((option) => (
            <MenuRadioItem key={option.value} value={option.value}>
              {option.shown ?? (
                <>
                  {option.icon}
                  {option.label}
                </>
              )}
            </MenuRadioItem>
          ))}
        </MenuRadioGroup>
      </MenuContent>
    </Menu>
  );
}
