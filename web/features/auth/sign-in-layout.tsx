import type { ReactNode } from "react";
import { focusOnArrival } from "#web/features/auth/first-focus.ts";
import { WelcomePanel } from "#web/features/auth/welcome-panel.tsx";
import { LampMark } from "#web/ui/page/brand.tsx";
import { Card } from "#web/ui/page/card.tsx";

type Props = {
  /** For a form that needs most of the page's height. */
  high?: boolean;
  children: ReactNode;
};

/** The page for everyone who is not signed in: on the left what Porchlight is for, on the right the form. */
export function SignInLayout({ high = false, children }: Props) {
  const top = high ? "lg:pt-[clamp(2.5rem,9dvh,6rem)]" : "lg:pt-[clamp(2.5rem,24dvh,16rem)]";
  return (
    <div className="grid min-h-dvh lg:grid-cols-[minmax(0,51fr)_minmax(0,49fr)]">
      <WelcomePanel />
      {/* Aligned to the top: tabs and error sentences change its height, and the bar must not jump. */}
      <main className={`flex justify-center px-4 pt-[clamp(2rem,8dvh,4rem)] pb-12 sm:px-8 ${top}`}>
        <div className="w-full max-w-[27.75rem]">
          <p className="mb-8 flex items-center justify-center gap-2.5 text-lg font-semibold tracking-tight lg:hidden">
            <LampMark />
            Porchlight
          </p>
          <Card className="p-5 sm:p-8">{children}</Card>
        </div>
      </main>
    </div>
  );
}

type ExplainedProps = {
  heading: ReactNode;
  /** Takes the focus on arrival, on a page that has replaced another. */
  focused?: boolean;
  children: ReactNode;
};

/** A form's heading and introduction. */
export function Explained({ heading, focused = false, children }: ExplainedProps) {
  return (
    <div className="pb-5">
      <h1
        className="text-2xl font-bold tracking-tight outline-none"
        {...(focused && { tabIndex: -1, ref: focusOnArrival })}
      >
        {heading}
      </h1>
      {children && <p className="mt-1.5 text-ink-2">{children}</p>}
    </div>
  );
}
