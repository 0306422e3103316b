import { Tooltip as Primitive } from "radix-ui";
import type { ReactNode } from "react";

/** Wrap the application in it once. Tooltips open after 700 ms, or immediately within 300 ms of the last one. */
export function TooltipProvider({ children }: { children: ReactNode }) {
  return (
    <Primitive.Provider delayDuration={700} skipDelayDuration={300}>
      {children}
    </Primitive.Provider>
  );
}

type Props = { content: ReactNode; side?: "top" | "right" | "bottom" | "left"; children: ReactNode };

/** A hint on hover and focus. The child needs its own accessible name. */
export function Tooltip({ content, side = "bottom", children }: Props) {
  return (
    <Primitive.Root>
      <Primitive.Trigger asChild>{children}</Primitive.Trigger>
      <Primitive.Portal>
        <Primitive.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="animate-fade z-90 max-w-72 rounded-sm bg-ink px-2.5 py-1.5 text-sm text-on-ink shadow-float"
        >
          {content}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
