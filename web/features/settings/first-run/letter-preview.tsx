import { Mail, MessageSquare } from "lucide-react";
import { useEffect, useState, useSyncExternalStore, type ReactNode } from "react";
import { ORGANIZATION, settings, type SampleLetter } from "#contract/calls/settings.ts";
import { useRead } from "#web/api/use-read.ts";
import { readClock, timeText } from "#web/domain/organization-clock.ts";
import { prefixOf, type Answers } from "#web/features/settings/first-run/answers.ts";
import { cx } from "#web/ui/browser/class-names.ts";
import { ErrorState } from "#web/ui/feedback/error-state.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import { minuteTick } from "#web/ui/time/use-minute-tick.ts";

type Props = {
  answers: Answers;
  /** The answer that is being typed, which is highlighted wherever it appears. */
  lit: keyof Answers;
};

/** The letter and the text that tenants would get with these answers. It follows each keystroke. */
export function LetterPreview({ answers: typed, lit }: Props) {
  const answers = { ...typed, siteName: typed.siteName.trim() || "…" };
  const query = answers.companyLogo ? ({ logo: "true" } as const) : {};
  const { data, isError, isFetching, refetch } = useRead(settings.letter, { query }, { keep: true });
  if (isError) {
    return (
      <ErrorState title="We couldn't show the letter" busy={isFetching} onRetry={() => void refetch()} />
    );
  }
  if (!data) return <Skeleton className="h-124 rounded-lg" />;
  return (
    <>
      <Letter letter={data} answers={answers} lit={lit} />
      <TextBubble text={data.text} answers={answers} lit={lit} />
    </>
  );
}

/** White in both themes, as mail programs show it. */
function Letter({ letter, answers, lit }: Props & { letter: SampleLetter }) {
  const minute = useSyncExternalStore(minuteTick.subscribe, minuteTick.get);
  return (
    <div className="light overflow-hidden rounded-lg border border-line bg-card text-ink shadow-float">
      <div className="flex items-center gap-3 border-b border-line px-4 py-3 text-sm sm:px-5">
        <Icon className="bg-email-soft text-email">
          <Mail />
        </Icon>
        <div className="min-w-0 flex-1">
          <p className="font-semibold break-words">
            <Typed lit={lit === "siteName"}>{answers.siteName}</Typed>
          </p>
          <p className="break-words text-ink-2">
            {answers.siteEmail ? (
              <>
                Replies go to <Typed lit={lit === "siteEmail"}>{answers.siteEmail}</Typed>
              </>
            ) : (
              <span>Replies go to the address it was sent from</span>
            )}
          </p>
        </div>
        <p className="shrink-0 text-ink-2">
          <Typed lit={lit === "timezone"}>
            {timeText(readClock(minute * 60_000, answers.timezone).time)}
          </Typed>
        </p>
      </div>
      <LetterFrame letter={letter} answers={answers} lit={lit} />
    </div>
  );
}

const HIGHLIGHT = "mark{background:none;color:inherit;border-radius:4px}.lit mark{background:#fdf1da}";

/** The same document for as long as only the name changes, so that it doesn't flicker while someone types. */
function LetterFrame({ letter: { subject, html }, answers, lit }: Props & { letter: SampleLetter }) {
  const { companyLogo, siteName } = answers;
  const [page, setPage] = useState<Document | null>(null);
  const [height, setHeight] = useState(480);
  const shown = prepared(html, companyLogo);
  useEffect(() => {
    if (!page) return undefined;
    page.documentElement.classList.toggle("lit", lit === "siteName");
    for (const mark of page.querySelectorAll("mark")) mark.textContent = siteName;
    const measure = () => setHeight(page.body.scrollHeight);
    const observer = new ResizeObserver(measure);
    observer.observe(page.body);
    return () => observer.disconnect();
  }, [siteName, lit, page]);
  return (
    // Our own letter, without scripts: its origin is this page's, so that the name can be typed into it.
    <iframe
      key={shown}
      title={`Sample email: ${subject}`}
      sandbox="allow-same-origin"
      srcDoc={shown}
      onLoad={(event) => setPage(event.currentTarget.contentDocument)}
      className="block w-full"
      style={{ height, colorScheme: "light" }}
    />
  );
}

/** The letter with a place for the name and with the logo. Its links lead nowhere. */
function prepared(html: string, logo: string): string {
  const page = new DOMParser().parseFromString(
    html.replaceAll("(prefers-color-scheme:dark)", "not all"),
    "text/html",
  );
  const style = page.createElement("style");
  style.textContent = HIGHLIGHT;
  page.head.append(style);
  for (const link of page.querySelectorAll("a")) link.removeAttribute("href");
  for (const image of page.querySelectorAll("img")) {
    image.alt = "";
    if (logo) image.src = logo;
    else image.remove();
  }
  const texts = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  const named: Text[] = [];
  while (texts.nextNode())
    if (texts.currentNode.nodeValue?.includes(ORGANIZATION)) named.push(texts.currentNode as Text);
  for (const text of named) {
    const pieces = text.data
      .split(ORGANIZATION)
      .flatMap((piece, index) => (index === 0 ? [piece] : [page.createElement("mark"), piece]));
    text.replaceWith(...pieces);
  }
  return `<!doctype html>${page.documentElement.outerHTML}`;
}

function TextBubble({ text, answers, lit }: Props & { text: string }) {
  const fits = prefixOf(answers.siteName) !== "";
  const [first = "", ...rest] = (fits ? text : text.replace(`${ORGANIZATION}: `, "")).split(ORGANIZATION);
  return (
    <div className="mt-5 flex items-end gap-3 text-sm">
      <Icon className="bg-sms-soft text-sms">
        <MessageSquare />
      </Icon>
      <p className="max-w-md min-w-0 rounded-2xl rounded-bl-sm border border-line bg-card px-4 py-2.5 leading-relaxed break-words shadow-card">
        <span className="sr-only">Text message: </span>
        {first}
        {rest.map((piece, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the pieces of one text never change places
          <span key={index}>
            <Typed lit={lit === "siteName"}>{answers.siteName}</Typed>
            {piece}
          </span>
        ))}
      </p>
    </div>
  );
}

function Typed({ lit, children }: { lit: boolean; children: string }) {
  return (
    <bdi
      translate="no"
      className={cx(
        "rounded-sm box-decoration-clone",
        lit && "-mx-0.5 bg-lamp-soft px-0.5 forced-colors:underline",
      )}
    >
      {children}
    </bdi>
  );
}

function Icon({ className, children }: { className: string; children: ReactNode }) {
  return (
    <span
      aria-hidden
      className={cx("grid size-8 shrink-0 place-items-center rounded-md [&_svg]:size-4", className)}
    >
      {children}
    </span>
  );
}
