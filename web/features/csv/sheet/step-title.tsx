import { type ReactNode, useEffect, useRef } from "react";

/** The focused element is gone with what was shown before. */
export function StepTitle({ children }: { children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <h3 ref={heading} tabIndex={-1} className="text-xl font-semibold tracking-tight break-words outline-none">
      {children}
    </h3>
  );
}
