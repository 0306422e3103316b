import { Search } from "lucide-react";
import { useEffect, useRef, type ComponentProps } from "react";
import { cx } from "#web/ui/browser/class-names.ts";
import { inputClass } from "#web/ui/form/input.tsx";
import { Kbd } from "#web/ui/page/kbd.tsx";

type Props = Omit<ComponentProps<"input">, "type" | "onChange" | "value" | "ref"> & {
  /** The accessible name; the placeholder is only a hint. */
  label: string;
  value: string;
  onChange: (value: string) => void;
  /** The page's main search, which `/` focuses. */
  slash?: boolean;
};

export function SearchInput({ label, value, onChange, slash, className, ...rest }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!slash) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "/" || event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target))
        return;
      event.preventDefault();
      input.current?.focus();
      input.current?.select();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [slash]);
  return (
    <div className={cx("relative flex items-center print:hidden", className)}>
      <Search aria-hidden className="pointer-events-none absolute left-3 size-4 text-ink-3" />
      <input
        {...rest}
        ref={input}
        type="search"
        aria-label={label}
        aria-keyshortcuts={slash ? "/" : undefined}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== "Escape") return;
          // The first Escape clears the search, the next one leaves the field.
          if (value) onChange("");
          else event.currentTarget.blur();
        }}
        className={cx(inputClass(), "peer pr-9 pl-9 [&::-webkit-search-cancel-button]:hidden")}
      />
      {slash && (
        <span className="pointer-events-none absolute right-2 peer-focus:hidden touch:hidden">
          <Kbd>/</Kbd>
        </span>
      )}
    </div>
  );
}

function isTyping(target: EventTarget | null) {
  return (
    target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"))
  );
}
