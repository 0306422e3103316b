import { people } from "#contract/text/count-text.ts";
import { UsersRound } from "lucide-react";
import { useWatch, type Control } from "react-hook-form";
import { groupRule, groups } from "#contract/calls/groups.ts";
import { useRead } from "#web/api/use-read.ts";
import { ruleFields, ruleOf, type GroupForm } from "#web/features/groups/edit/group-form.ts";
import { ruleText } from "#web/features/groups/group-text.ts";
import { personName } from "#web/domain/avatar.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { useDebounced } from "#web/ui/browser/use-debounced.ts";

const TYPING_PAUSE = 250;

/** Who matches the rule now: how many, and the first names. */
export function RuleFit({ control }: { control: Control<GroupForm> }) {
  const [roles, property, building, floors, stacks, unit, channel, details] = useWatch({
    control,
    name: ruleFields,
  });
  const typed = ruleOf({ roles, property, building, floors, stacks, unit, channel, details });
  const rule = useDebounced(typed, TYPING_PAUSE);
  const isReadable = groupRule.safeParse(rule).success;
  const { data, error, isPlaceholderData } = useRead(
    groups.tryRule,
    { body: rule },
    { enabled: isReadable, fresh: true, keep: true },
  );
  return (
    <output
      className={cx(
        "flex min-h-19 items-start gap-3 rounded-md bg-sunk px-4 py-3 text-sm transition-opacity",
        isPlaceholderData && "cursor-progress",
      )}
    >
      <UsersRound aria-hidden className="mt-0.5 size-4 shrink-0 text-ink-3" />
      <div className="min-w-0">
        {!isReadable ? (
          <p className="text-ink-2">Correct the rule to see who matches.</p>
        ) : error && !isPlaceholderData ? (
          <p className="text-bad">We couldn't check who matches: {error.message}</p>
        ) : data ? (
          <>
            <p>
              <strong className="font-semibold tabular">{`Matches ${people(data.userCount)}`}</strong>{" "}
              <span className="text-ink-2">{ruleText(rule)}</span>
            </p>
            <p className="mt-0.5 break-words text-ink-2">
              {data.first.map((person, index) => (
                <span key={person.id}>
                  {index > 0 && ", "}
                  <bdi translate="no">{personName(person)}</bdi>
                </span>
              ))}
              {data.userCount > data.first.length && data.first.length > 0 && " and others"}
              {data.userCount === 0 && "No one now. Anyone who matches later joins automatically."}
            </p>
          </>
        ) : (
          <Skeleton className="h-10 w-56" />
        )}
      </div>
    </output>
  );
}
