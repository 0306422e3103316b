import { deliveryStatuses } from "#contract/delivery.ts";
import type { Reason } from "#contract/delivery-reasons.ts";
import type { RunProgress } from "#contract/run-progress.ts";
import { deliveryLook } from "#web/features/notifications/detail/delivery-badge.tsx";
import { toneText } from "#web/ui/feedback/badge.tsx";

/** What the icons of the list mean, of those that this run has. */
export function StatusLegend({ progress }: { progress: RunProgress }) {
  const order = ["delivered" as const, ...deliveryStatuses.filter((status) => status !== "delivered")];
  const looks = order.flatMap((status) => {
    if (progress.counts[status] === 0) return [];
    if (status !== "skipped") return [deliveryLook({ status, reason: null })];
    const why = progress.reasons.filter((one) => one.status === status).map(({ reason }): Reason => reason);
    return why.map((reason) => deliveryLook({ status, reason }));
  });
  const shown = [...new Map(looks.map((look) => [look.word, look])).values()];
  return (
    // Each icon says the same itself.
    <p aria-hidden className="flex flex-wrap gap-x-4 gap-y-1 py-1 text-[0.8125rem] text-ink-2">
      {shown.map(({ word, tone, Icon }) => (
        <span key={word} className="flex items-center gap-1.5">
          <Icon className={`size-3.5 ${toneText[tone]}`} />
          {word}
        </span>
      ))}
    </p>
  );
}
