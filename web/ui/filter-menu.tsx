import type { ReactNode } from "react";
import { cx } from "#web/ui/class-names.ts";
import { Button } from "#web/ui/button.tsx";
import { Menu, MenuContent, MenuRadioGroup, MenuRadioItem, MenuTrigger } from "#web/ui/menu.tsx";

type Props<Value extends string> = {
  label: string;
  /** The choice that filters nothing: "Any status". */
  all: string;
  icon: ReactNode;
  options: readonly { value: Value; label: string; icon?: ReactNode; shown?: ReactNode }[];
  value: Value | undefined;
  onChange: (value: Value | undefined) => void;
};

/** One filter of a list: shows what it filters by, and lets go of it by its first choice. */
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
