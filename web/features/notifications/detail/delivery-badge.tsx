import {
  Ban,
  Check,
  CheckCheck,
  CircleHelp,
  Clock3,
  Hourglass,
  Loader,
  SkipForward,
  Undo2,
  X,
  type LucideIcon,
} from "lucide-react";
import { deliveryStatusMeaning, type DeliveryStatus } from "#contract/delivery.ts";
import { Badge, type Tone } from "#web/ui/feedback/badge.tsx";

/** Icon and tone of each delivery status. The label comes from the contract. */
const look: Record<DeliveryStatus, { tone: Tone; Icon: LucideIcon }> = {
  queued: { tone: "quiet", Icon: Clock3 },
  sending: { tone: "quiet", Icon: Loader },
  accepted: { tone: "good", Icon: Check },
  delivered: { tone: "good", Icon: CheckCheck },
  bounced: { tone: "bad", Icon: Undo2 },
  failed: { tone: "bad", Icon: X },
  uncertain: { tone: "warn", Icon: CircleHelp },
  skipped: { tone: "quiet", Icon: SkipForward },
  cancelled: { tone: "quiet", Icon: Ban },
  expired: { tone: "bad", Icon: Hourglass },
};

export function DeliveryBadge({ status }: { status: DeliveryStatus }) {
  const { tone, Icon } = look[status];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {deliveryStatusMeaning[status].label}
    </Badge>
  );
}
