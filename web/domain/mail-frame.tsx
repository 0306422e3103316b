import type { ReactNode } from "react";
import { isolated } from "#contract/text/isolate.ts";
import { cx } from "#web/ui/browser/class-names.ts";

/** The frame cannot measure its content, which runs no scripts and has another origin. */
const HEIGHT = "26.25rem";

type Props = {
  subject: string;
  /** "Maple & Harbor to Luis Ortega" */
  fromTo: ReactNode;
  html: string;
  /** As in a mail program in dark mode. Otherwise light, regardless of the console's theme. */
  dark?: boolean;
  /** Has a dialog to itself, and fills a window that is high enough. */
  alone?: boolean | undefined;
  children?: ReactNode;
};

/** An email as a mail program would show it: on white in both themes, isolated from the console. */
export function MailFrame({ subject, fromTo, html, dark = false, alone = false, children }: Props) {
  // The frame would follow the system's theme, so the mail's own dark styles are switched here.
  const shown = html
    .replace("<head>", '<head><base target="_blank">')
    .replaceAll("(prefers-color-scheme:dark)", dark ? "all" : "not all");
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
        A sandbox: no script, no form, and its own origin. Its links open tabs, because our policy lets no other site into
        the frame. Another text is another frame: in the same one, it would be an entry of the browser's history.
      */}
      <div
        className="resize-y overflow-hidden bg-card"
        style={{ height: alone ? `max(${HEIGHT}, 100dvh - 15rem)` : HEIGHT }}
      >
        <iframe
          key={shown}
          title={`Message: ${isolated(subject)}`}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          srcDoc={shown}
          referrerPolicy="no-referrer"
          className="block size-full"
          style={{ colorScheme: dark ? "dark" : "light" }}
        />
      </div>
      {children && <div className="border-t border-line px-4 py-3 text-sm">{children}</div>}
    </div>
  );
}
