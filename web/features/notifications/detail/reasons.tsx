import { deliveryStatusMeaning } from "#contract/delivery.ts";
import { reasonNext, sharesMessage } from "#contract/delivery-reasons.ts";
import type { RunProgress } from "#contract/run-progress.ts";
import { numberText } from "#contract/text/locale.ts";
import type { DeliveryView } from "#web/features/notifications/detail/delivery-query.ts";
import { messagesOn, onSeveralChannels } from "#web/features/notifications/progress.ts";
import { Simulated } from "#web/domain/simulated.tsx";
import { cx } from "#web/ui/browser/class-names.ts";

const SHOWN = 4;

/** Why people are waiting or were not reached: how many, the reason, and how to fix it. */
export function Reasons({ progress, view }: { progress: RunProgress; view: DeliveryView }) {
  const listed = progress.reasons.filter(({ status, reason }) => {
    // People who share a message have the outcome of the person who gets it, who is counted with the others.
    if (sharesMessage(reason)) return false;
    // Who opted out is not listed with those who weren't reached.
    if (reason === "opted-out") return view === "opted-out";
    // Nor who is left out on purpose.
    if (reason === "settled") return view === "cancelled";
    return deliveryStatusMeaning[status].group === view;
  });
  // If people were not reached at all, failures on others' second channels would only distract.
  const several = onSeveralChannels(progress);
  if (listed.length === 0 || (several && view === "unreached")) return null;
  const rest = listed.slice(SHOWN).reduce((sum, one) => sum + one.count, 0);
  return (
    <ul className="flex flex-col gap-1.5 border-t border-line px-4 py-3 text-sm">
      {listed.slice(0, SHOWN).map(({ channel, status, reason, count, sentence }) => (
        <li key={`${channel} ${status} ${reason}`} className="text-ink-2">
          <strong className={cx("font-semibold tabular", !several && "text-ink")}>
            {messagesOn(channel, count)}
          </strong>
          : {sentence} {reasonNext(reason, channel)}{" "}
          {progress.simulatedChannels.includes(channel) && <Simulated bare />}
        </li>
      ))}
      {rest > 0 && <li className="text-ink-3">{numberText(rest)} more for other reasons</li>}
    </ul>
  );
}
