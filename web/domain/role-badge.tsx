import { KeyRound, ShieldCheck, UserRound, type LucideIcon } from "lucide-react";
import { Badge, type Tone } from "#web/ui/feedback/badge.tsx";

/** Label, icon and color of each role, the same everywhere. */
export const roleLook = {
  tenant: { label: "Tenant", tone: "good", Icon: UserRound },
  staff: { label: "Staff", tone: "info", Icon: KeyRound },
  admin: { label: "Administrator", tone: "royal", Icon: ShieldCheck },
} as const satisfies Record<string, { label: string; tone: Tone; Icon: LucideIcon }>;

type RoleName = keyof typeof roleLook;

export function RoleBadge({ role }: { role: RoleName }) {
  const { label, tone, Icon } = roleLook[role];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {label}
    </Badge>
  );
}
