import { Siren } from "lucide-react";
import { Badge } from "#web/ui/badge.tsx";

/** Of an emergency: its messages go ahead of all others. */
export function HighPriority() {
  return (
    <Badge tone="bad" icon={<Siren aria-hidden />}>
      High Priority
    </Badge>
  );
}
