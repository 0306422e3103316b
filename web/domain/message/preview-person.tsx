import { ChevronDown, UserRound } from "lucide-react";
import { Button } from "#web/ui/page/button.tsx";
import type { PickerOption } from "#web/ui/form/multi-picker.tsx";
import { PopoverPicker } from "#web/ui/form/popover-picker.tsx";
import type { Found } from "#web/ui/form/use-search.ts";

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

type Option = PickerOption & { userId: number };

/** "For Ana Ortiz": opens a search. */
export function PreviewPerson({ search, source, person, onChoose }: Props) {
  const find = async (q: string, signal: AbortSignal): Promise<Found<Option>> => {
    const { options, ...found } = await search(q, signal);
    return { ...found, options: options.map((one) => optionOf(one)) };
  };
  return (
    <PopoverPicker
      label="Show it for"
      search={find}
      source={source}
      onPick={({ userId }) => onChoose(userId)}
      placeholder="Search people"
    >
      <Button icon={<UserRound aria-hidden />} className="max-w-full">
        <span className="truncate">
          {person ? (
            <>
              For <bdi translate="no">{person.name}</bdi>
            </>
          ) : (
            "Choose a person"
          )}
        </span>
        <ChevronDown aria-hidden className="text-ink-3" />
      </Button>
    </PopoverPicker>
  );
}

function optionOf({ userId, name, propertyUnit }: Person): Option {
  return { key: String(userId), label: name, userId, ...(propertyUnit !== null && { detail: propertyUnit }) };
}
