import type { ReactNode } from "react";
import { cx } from "#web/ui/browser/class-names.ts";
import { SearchInput } from "#web/ui/list/search-input.tsx";
import { useTypedSearch } from "#web/ui/list/use-typed-search.ts";

type Props = {
  /** The accessible name of the search. */
  label: string;
  placeholder: string;
  /** The search in the URL. */
  q: string;
  onSearch: (q: string) => void;
  /** Placed before the search, such as the list's tabs. */
  before?: ReactNode;
  /** Filters. */
  children?: ReactNode;
  /** The list's order, if it can't be chosen: "Newest first". */
  order?: string;
};

/** The line above a list: its search, which `/` focuses, its filters and its order. */
export function ListToolbar({ label, placeholder, q, onSearch, before, children, order }: Props) {
  const [text, setText] = useTypedSearch(q, onSearch);
  return (
    <div className="flex flex-wrap items-center gap-2 cards:pb-4 rows:border-b rows:border-line rows:p-3">
      {before}
      <SearchInput
        slash
        label={label}
        placeholder={placeholder}
        value={text}
        onChange={setText}
        className={cx(
          "w-full md:w-auto md:min-w-56 md:flex-1 rows:max-w-75",
          before !== undefined && "md:ml-auto",
        )}
      />
      {children}
      {order && <span className="ml-auto pr-1 text-sm text-ink-3 cards:hidden">{order}</span>}
    </div>
  );
}
