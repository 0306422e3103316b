import { ChevronRight } from "lucide-react";
import type { ConsentChange } from "#contract/calls/users.ts";
import { consentSentence } from "#contract/delivery.ts";
import { whereFrom } from "#web/features/profile/preference-text.ts";
import { When } from "#web/ui/time/when.tsx";

/** Every change of the preferences on record, the newest first. */
export function ChangeList({ changes }: { changes: readonly ConsentChange[] }) {
  return (
    <details className="group border-t border-line text-sm">
      <summary className="flex cursor-pointer list-none items-center gap-1.5 px-4 py-3 font-medium text-ink-2 hover:text-ink touch:min-h-11 md:px-5">
        <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
        {changes.length === 1 ? "1 change on record" : `${changes.length} changes on record`}
      </summary>
      <ol className="divide-y divide-line border-t border-line">
        {changes.map((change) => (
          <li
            key={`${change.channel} ${change.at}`}
            className="flex flex-wrap justify-between gap-x-6 px-4 py-2.5 md:px-5"
          >
            <span>
              <span className="font-medium">{consentSentence(change.channel, change.allowed)}</span>{" "}
              <span className="text-ink-2">{whereFrom(change)}.</span>
            </span>
            <When at={change.at} as="full" className="text-ink-3 tabular" />
          </li>
        ))}
      </ol>
    </details>
  );
}
