import type { ReactNode } from "react";
import { cx } from "#web/ui/class-names.ts";

/** The frame cannot measure its content, which runs no scripts and has another origin. */
const HEIGHT = 420;

type Props = {
  subject: string;
  /** "Maple & Harbor to Luis Ortega" */
  fromTo: ReactNode;
  html: string;
  /** As in a mail program in dark mode. Otherwise light, regardless of the console's theme. */
  dark?: boolean;
  children?: ReactNode;
};

/** An email as a mail program would show it: on white in both themes, isolated from the console. */
export function MailFrame({ subject, fromTo, html, dark = false, children }: Props) {
  return (
    <div
      className={cx(
        dark ? "dark" : "light",
        "overflow-hidden rounded-lg border border-line bg-card text-ink shadow-card",
      )}
    >
      <div className="border-b border-line bg-paper px-4 py-3 text-sm">
        <p className="font-semibold break-words">{subject}</p>
        <p className="break-words text-ink-2">{fromTo}</p>
      </div>
      {/*
        An empty sandbox: no script, no form, no navigation, and its own origin. The frame would follow the system's
        theme, so the mail's own dark styles are switched here.
      */}
      <iframe
        title={`Message: ${subject}`}
        sandbox=""
        srcDoc={html.replaceAll("(prefers-color-scheme:dark)", dark ? "all" : "not all")}
        referrerPolicy="no-referrer"
        className="block w-full resize-y bg-card"
        style={{ height: HEIGHT, colorScheme: dark ? "dark" : "light" }}
      />
      {children && <div className="border-t border-line px-4 py-3 text-sm">{children}</div>}
    </div>
  );
}
