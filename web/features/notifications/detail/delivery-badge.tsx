import {
  Ban,
  BellOff,
  Check,
  CheckCheck,
  CircleHelp,
  Clock3,
  Hourglass,
  House,
  Loader,
  Minus,
  ShieldX,
  SkipForward,
  type LucideIcon,
  Undo2,
  UserMinus,
  Users,
  X,
} from "lucide-react";
import type { Delivery } from "#contract/calls/deliveries.ts";
import type { Reason } from "#contract/delivery-reasons.ts";
import { deliveryStatusMeaning, type DeliveryStatus } from "#contract/delivery.ts";
import { Badge, type Tone } from "#web/ui/feedback/badge.tsx";

type Look = { word: string; tone: Tone; Icon: LucideIcon };

/** Icon and tone of each delivery status. The label comes from the contract. */
const looks: Record<DeliveryStatus, Omit<Look, "word">> = {
  queued: { tone: "quiet", Icon: Clock3 },
  sending: { tone: "quiet", Icon: Loader },
  accepted: { tone: "quiet", Icon: Check },
  delivered: { tone: "good", Icon: CheckCheck },
  bounced: { tone: "bad", Icon: Undo2 },
  failed: { tone: "bad", Icon: X },
  uncertain: { tone: "warn", Icon: CircleHelp },
  skipped: { tone: "quiet", Icon: SkipForward },
  cancelled: { tone: "quiet", Icon: Ban },
  expired: { tone: "bad", Icon: Hourglass },
};

const turnedOff: Look = { word: "Turned off", tone: "quiet", Icon: BellOff };
const noneOnFile: Look = { word: "None on file", tone: "quiet", Icon: Minus };

/** What was skipped, by why. */
const skippedLooks: Partial<Record<Reason, Look>> = {
  "opted-out": turnedOff,
  "channel-off": turnedOff,
  "no-email": noneOnFile,
  "no-phone": noneOnFile,
  "no-device": noneOnFile,
  "not-turned-on": noneOnFile,
  "same-address": { word: "Covered", tone: "quiet", Icon: Users },
  "same-home": { word: "Same home", tone: "quiet", Icon: House },
  settled: { word: "Left out", tone: "quiet", Icon: UserMinus },
  suppressed: { word: "Blocked", tone: "bad", Icon: ShieldX },
};

export function deliveryLook({ status, reason }: Pick<Delivery, "status" | "reason">): Look {
  const skipped = status === "skipped" && reason !== null ? skippedLooks[reason] : undefined;
  return skipped ?? { word: deliveryStatusMeaning[status].label, ...looks[status] };
}

export function DeliveryBadge({
  status,
  reason = null,
}: Pick<Delivery, "status"> & Partial<Pick<Delivery, "reason">>) {
  const { word, tone, Icon } = deliveryLook({ status, reason });
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {word}
    </Badge>
  );
}
