import { messages, people } from "#contract/text/count-text.ts";
import type { Reach } from "#contract/calls/audience.ts";
import type { NotificationDetail } from "#contract/calls/notifications.ts";
import { refOf } from "#contract/recipients.ts";

/** Asks who would get it now. A person who lacks a field of the message gets nothing. */
export function whoGets({ audience, channels, fields, perHome, valuesId }: NotificationDetail) {
  return { recipients: audience.map(refOf), channels, fields, valuesId, ...(perHome && { perHome }) };
}

/** "It reaches 53 people with 57 messages. 4 people won't get this message. The list will say why." */
export function Reaches({ reach }: { reach: Reach }) {
  const missing = reach.unreachable.total;
  return (
    <>
      It reaches <strong className="font-semibold text-ink">{people(reach.reached)}</strong> with{" "}
      {messages(reach.messages)}
      {reach.homes !== null && ", one per home"}.{" "}
      {missing > 0 && `${people(missing)} won't get this message. The list will say why.`}
    </>
  );
}
