import { Ban, Check, CircleAlert, Clock3, Loader, Pencil, Repeat, X, type LucideIcon } from "lucide-react";
import { Badge, type Tone } from "#web/ui/feedback/badge.tsx";

/** Label, icon and tone of each notification status, the same everywhere. */
export const statusLook = {
  Draft: { tone: "quiet", Icon: Pencil },
  Scheduled: { tone: "info", Icon: Clock3 },
  Recurring: { tone: "quiet", Icon: Repeat },
  Sending: { tone: "quiet", Icon: Loader },
  Delivered: { tone: "good", Icon: Check },
  "Partially Delivered": { tone: "warn", Icon: CircleAlert },
  Failed: { tone: "bad", Icon: X },
  Cancelled: { tone: "quiet", Icon: Ban },
} as const satisfies Record<string, { tone: Tone; Icon: LucideIcon }>;

type StatusWord = keyof typeof statusLook;

export function StatusBadge({ status }: { status: StatusWord }) {
  const { tone, Icon } = statusLook[status];
  return (
    <Badge
      tone={tone}
      icon={<Icon aria-hidden className={status === "Sending" ? "animate-spin" : undefined} />}
    >
      {status}
    </Badge>
  );
}
