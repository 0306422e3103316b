import { Link } from "@tanstack/react-router";
import { ChevronRight } from "lucide-react";
import { linkTo } from "#web/domain/places.ts";
import type { Section, Topic } from "#web/features/help/topics.ts";
import { buttonClass } from "#web/ui/page/button.tsx";
import { Card, CardHeader } from "#web/ui/page/card.tsx";

type ListProps = {
  section: Section;
  /** All of its topics are open, because someone searched for them. */
  open: boolean;
  /** The topic that someone asked about, which is open. */
  asked: string;
};

/** A section as an accordion. */
export function TopicList({ section: { title, topics }, open, asked }: ListProps) {
  return (
    <Card aria-label={title} data-print-links>
      <CardHeader title={title} />
      <div className="divide-y divide-line border-t border-line">
        {topics.map((topic) => (
          <TopicEntry
            key={`${topic.id}-${open}-${topic.id === asked}`}
            topic={topic}
            open={open || topic.id === asked}
          />
        ))}
      </div>
    </Card>
  );
}

function TopicEntry({
  topic: { id, title, summary, text, links = [], contacts = [] },
  open,
}: {
  topic: Topic;
  open: boolean;
}) {
  return (
    // The header covers the top of the page.
    <details id={id} className="group scroll-mt-20" open={open}>
      <summary className="flex cursor-pointer list-none flex-wrap items-baseline gap-x-3 px-4 py-3 outline-offset-[-2px] hover:bg-hover touch:min-h-11 [&::-webkit-details-marker]:hidden">
        <ChevronRight
          aria-hidden
          className="size-4 shrink-0 self-center text-ink-3 transition-transform group-open:rotate-90"
        />
        <span className="font-semibold">{title}</span>
        <span className="text-sm text-ink-2 max-sm:w-full max-sm:pl-7">{summary}</span>
      </summary>
      <div className="px-4 pb-4 pl-11 text-sm">
        {text.map((paragraph) => (
          <p key={paragraph} className="mb-2 max-w-prose">
            <WithFields text={paragraph} />
          </p>
        ))}
        {links.length + contacts.length > 0 && (
          <p className="mt-3 flex flex-wrap gap-2">
            {contacts.map(({ label, href }) => (
              <a
                key={label}
                href={href}
                target="_blank"
                rel="noreferrer"
                className={buttonClass({ size: "sm" })}
              >
                {label}
              </a>
            ))}
            {links
              .map((to) => (typeof to === "string" ? linkTo(to) : to))
              .map(({ label, link }) => (
                <Link key={label} {...link} className={buttonClass({ size: "sm" })}>
                  {label}
                </Link>
              ))}
          </p>
        )}
      </div>
    </details>
  );
}

/** Fields stand out as they do in a template. */
function WithFields({ text }: { text: string }) {
  return text.split(/(\{\{\w+\}\})/).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <code
        translate="no"
        // oxlint-disable-next-line react/no-array-index-key -- the text never changes
        key={index}
        className="rounded-[4px] bg-quiet-soft px-1 text-[0.8125rem] font-medium text-ink"
      >
        {part}
      </code>
    ),
  );
}
