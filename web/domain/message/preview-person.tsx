import { ChevronDown, UserRound } from "lucide-react";
import { useState } from "react";
import { Button } from "#web/ui/button.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "#web/ui/popover.tsx";
import { SearchInput } from "#web/ui/search-input.tsx";
import { useSearch, type Found } from "#web/ui/use-search.ts";

export type Person = { userId: number; name: string; propertyUnit: string | null };

type Props = {
  /** Finds people by text, which may be empty. */
  search: (q: string, signal: AbortSignal) => Promise<Found<Person>>;
  /** Distinguishes this search's answers from others. */
  source: string;
  /** The person it is shown for now. */
  person: { name: string } | null;
  onChoose: (userId: number) => void;
};

/** "For Ana Ortiz": opens a search. */
export function PreviewPerson({ search, source, person, onChoose }: Props) {
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const { options, busy, error } = useSearch(search, { text, source, enabled: open });
  return (
    <Popover open={open} onOpenChange={setOpen}>
      <PopoverTrigger>
        <Button icon={<UserRound aria-hidden />} className="max-w-full">
          <span className="truncate">
            {person ? (
              <>
                For <bdi>{person.name}</bdi>
              </>
            ) : (
              "Choose a person"
            )}
          </span>
          <ChevronDown aria-hidden className="text-ink-3" />
        </Button>
      </PopoverTrigger>
      <PopoverContent aria-label="Show it for" className="w-72 p-1.5">
        <SearchInput label="Search people" placeholder="Search people" value={text} onChange={setText} />
        <ul className="mt-1.5 max-h-64 overflow-y-auto">
          {options.map((one) => (
            <li key={one.userId}>
              <button
                type="button"
                onClick={() => {
                  onChoose(one.userId);
                  setOpen(false);
                }}
                className="block min-h-9 w-full rounded-sm px-2.5 py-1.5 text-left text-sm hover:bg-hover touch:min-h-11"
              >
                <bdi className="font-medium">{one.name}</bdi>{" "}
                <bdi className="text-ink-3">{one.propertyUnit}</bdi>
              </button>
            </li>
          ))}
        </ul>
        {options.length === 0 && (
          <p aria-live="polite" className="px-2.5 py-3 text-sm text-ink-3">
            {error ?? (busy ? "Loading..." : "No one found")}
          </p>
        )}
      </PopoverContent>
    </Popover>
  );
}
