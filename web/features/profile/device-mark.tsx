import { Monitor, Smartphone, Tablet } from "lucide-react";
import type { ReactNode } from "react";

/** The icon of a row about a browser. `device`: "Firefox on Windows". */
export function DeviceMark({ device }: { device: string }) {
  const Icon = /iPhone|Android/.test(device) ? Smartphone : device.includes("iPad") ? Tablet : Monitor;
  return <Mark icon={<Icon />} />;
}

export const Mark = ({ icon }: { icon: ReactNode }) => (
  <span
    aria-hidden
    className="grid size-9 shrink-0 place-items-center self-start rounded-md bg-sunk text-ink-2 [&_svg]:size-4.5"
  >
    {icon}
  </span>
);
