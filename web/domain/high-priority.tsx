import { Siren } from "lucide-react";
import { Badge } from "#web/ui/feedback/badge.tsx";
import { Checkbox } from "#web/ui/form/checkbox.tsx";

/** Of an emergency: its messages go ahead of all others. `compact`: the icon alone, for rows of lists. */
export function HighPriority({ compact = false }: { compact?: boolean }) {
  if (compact) {
    return (
      <span title="High Priority" className="inline-flex align-[-0.125em] text-bad">
        <Siren aria-hidden className="size-4" />
        <span className="sr-only">High Priority</span>
      </span>
    );
  }
  return (
    <Badge tone="bad" icon={<Siren aria-hidden />}>
      High Priority
    </Badge>
  );
}

type FieldProps = { checked: boolean; onChange: (checked: boolean) => void };

/** Makes a message an emergency, and says what that means. */
export function HighPriorityField({ checked, onChange }: FieldProps) {
  return (
    <Checkbox
      label="High Priority"
      hint="For emergencies only. It goes ahead of all other messages. Whatever can't be sent within 30 minutes is dropped."
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
    />
  );
}
