import { createContext, use, useId, type ComponentProps, type KeyboardEvent, type ReactNode } from "react";
import { cx } from "#web/ui/browser/class-names.ts";

// Not from Radix, which would take a tenth of the sign-in page's budget.

type Known = { id: string; value: string; onValueChange: (value: string) => void };
const Context = createContext<Known | undefined>(undefined);

function useTabs(): Known {
  const known = use(Context);
  if (!known) throw new Error("A tab stands inside Tabs");
  return known;
}

type TabsProps = { value: string; onValueChange: (value: string) => void; children: ReactNode };

export function Tabs({ value, onValueChange, children }: TabsProps) {
  const id = useId();
  return <Context value={{ id, value, onValueChange }}>{children}</Context>;
}

/** Tabs as a segmented bar, named by `aria-label`. Arrow keys, Home and End select. */
export function TabList({ className, ...rest }: ComponentProps<"div">) {
  return (
    <div
      {...rest}
      role="tablist"
      tabIndex={-1}
      onKeyDown={walkTabs}
      className={cx("flex gap-1 rounded-md bg-sunk p-1", className)}
    />
  );
}

export function Tab({ value, className, ...rest }: ComponentProps<"button"> & { value: string }) {
  const tabs = useTabs();
  const active = tabs.value === value;
  return (
    <button
      type="button"
      {...rest}
      role="tab"
      id={`${tabs.id}-${value}`}
      aria-selected={active}
      aria-controls={active ? `${tabs.id}-${value}-panel` : undefined}
      tabIndex={active ? 0 : -1}
      onClick={() => tabs.onValueChange(value)}
      className={cx(
        "h-8 min-w-0 flex-auto rounded-[7px] px-3 text-sm leading-4 font-medium text-ink-2 sm:min-w-max sm:flex-1 sm:whitespace-nowrap max-sm:px-2 transition-colors hover:text-ink touch:h-11",
        "aria-selected:bg-raised aria-selected:text-ink aria-selected:shadow-[0_0_0_1px_var(--line),var(--shadow-card)]",
        className,
      )}
    />
  );
}

/** Only rendered while its tab is selected. */
export function TabPanel({ value, ...rest }: ComponentProps<"div"> & { value: string }) {
  const tabs = useTabs();
  if (tabs.value !== value) return null;
  return (
    <div {...rest} role="tabpanel" id={`${tabs.id}-${value}-panel`} aria-labelledby={`${tabs.id}-${value}`} />
  );
}

function walkTabs(event: KeyboardEvent<HTMLElement>) {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role="tab"]:not(:disabled)')];
  const here = tabs.indexOf(document.activeElement as HTMLElement);
  const moves: Record<string, number> = {
    ArrowRight: here + 1,
    ArrowLeft: here - 1,
    Home: 0,
    End: tabs.length - 1,
  };
  const to = moves[event.key];
  if (to === undefined || here < 0) return;
  event.preventDefault();
  const next = tabs.at(to % tabs.length);
  next?.focus();
  next?.click();
}
