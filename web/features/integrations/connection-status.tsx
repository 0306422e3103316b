import { Check, CircleAlert, FlaskConical, Power, Unplug } from "lucide-react";
import type { ReactNode } from "react";
import type { Account } from "#contract/calls/integrations.ts";
import { Badge, type Tone } from "#web/ui/feedback/badge.tsx";
import { Spinner } from "#web/ui/feedback/spinner.tsx";

const looks: Record<Account["state"], { tone: Tone; icon: ReactNode }> = {
  Connected: { tone: "good", icon: <Check aria-hidden /> },
  "Not connected": { tone: "quiet", icon: <Unplug aria-hidden /> },
  Sandbox: { tone: "quiet", icon: <FlaskConical aria-hidden /> },
  Error: { tone: "warn", icon: <CircleAlert aria-hidden /> },
};

/** Whether an account works: checking, connected or error, as it was last found. */
export function ConnectionStatus({
  account: { state, enabled },
  checking,
}: {
  account: Account;
  checking: boolean;
}) {
  if (checking) return <Badge icon={<Spinner />}>Checking</Badge>;
  if (!enabled) return <Badge icon={<Power aria-hidden />}>Off</Badge>;
  const { tone, icon } = looks[state];
  return (
    <Badge tone={tone} icon={icon}>
      {state}
    </Badge>
  );
}
