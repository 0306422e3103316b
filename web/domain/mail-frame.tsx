import type { ReactNode } from "react";

type Props = {
  subject: string;
  /** "Maple & Harbor to Luis Ortega" */
  fromTo: ReactNode;
  html: string;
  /** The frame cannot measure its content: it runs no script and shares no origin. */
  height?: number;
  /** As it looks in a mail program in dark mode. */
  dark?: boolean;
  children?: ReactNode;
};

/** An email as a mail program would show it: on white in both themes, isolated from the console. */
export function MailFrame({ subject, fromTo, html, height = 360, dark, children }: Props) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-white text-[#1d1a16] shadow-card">
      <div className="border-b border-[#e8e3da] bg-[#faf8f4] px-4 py-3 text-sm">
        <p className="font-semibold break-words">{subject}</p>
        <p className="break-words text-[#5d574e]">{fromTo}</p>
      </div>
      {/* An empty sandbox: no script, no form, no navigation, and its own origin. */}
      <iframe
        title={`Message: ${subject}`}
        sandbox=""
        srcDoc={html}
        referrerPolicy="no-referrer"
        className="block w-full resize-y bg-white"
        style={{ height, colorScheme: dark ? "dark" : "light" }}
      />
      {children && <div className="border-t border-[#e8e3da] px-4 py-3 text-sm">{children}</div>}
    </div>
  );
}
