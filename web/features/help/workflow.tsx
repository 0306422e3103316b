import { Link, linkOptions } from "@tanstack/react-router";
import {
  ArrowDown,
  ArrowRight,
  CalendarClock,
  CircleCheck,
  FileText,
  PenLine,
  Send,
  Zap,
} from "lucide-react";
import { Fragment } from "react";
import { Card, CardHeader } from "#web/ui/page/card.tsx";

const steps = [
  [
    {
      title: "Template",
      words: "Write once, reuse often",
      Icon: FileText,
      link: linkOptions({ to: "/templates" }),
    },
    {
      title: "Direct message",
      words: "Write it for this occasion",
      Icon: PenLine,
      link: linkOptions({ to: "/notifications", search: { write: "new" } }),
    },
  ],
  [
    {
      title: "Schedule",
      words: "Once or recurring",
      Icon: CalendarClock,
      link: linkOptions({ to: "/schedules" }),
    },
    {
      title: "Manual",
      words: "Send immediately",
      Icon: Zap,
      link: linkOptions({ to: "/notifications", search: { write: "new" } }),
    },
  ],
  [
    {
      title: "Sent",
      words: "Email, SMS, push",
      Icon: Send,
      link: linkOptions({ to: "/notifications", search: { time: "30-days" } }),
    },
  ],
  [
    {
      title: "Monitor delivery",
      words: "Who got it, who didn't",
      Icon: CircleCheck,
      link: linkOptions({ to: "/notifications", search: { status: "Failures" } }),
    },
  ],
];

/** From a message to its outcome; each step opens its screen. */
export function Workflow() {
  return (
    <Card aria-label="How a notification works">
      <CardHeader title="How a notification works">
        <span className="text-sm text-ink-2">Select a step to open its screen</span>
      </CardHeader>
      <div className="flex flex-col items-stretch gap-2 px-4 pb-4 lg:flex-row lg:items-center">
        {steps.map((choices, index) => (
          <Fragment key={choices[0]?.title}>
            {index > 0 && (
              <span aria-hidden className="self-center text-ink-3">
                <ArrowRight className="size-5 max-lg:hidden" />
                <ArrowDown className="size-5 lg:hidden" />
              </span>
            )}
            <ul className="flex flex-1 flex-col gap-2 max-lg:flex-row max-sm:flex-col">
              {choices.map(({ title, words, Icon, link }) => (
                <li key={title} className="flex-1">
                  <Link
                    {...link}
                    className="flex items-center gap-3 rounded-md border border-line px-3 py-2.5 hover:bg-hover"
                  >
                    <Icon aria-hidden className="size-4.5 shrink-0 text-ink-2" strokeWidth={1.75} />
                    <span>
                      <span className="block text-sm font-semibold">{title}</span>
                      <span className="block text-[0.8125rem] text-ink-2">{words}</span>
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          </Fragment>
        ))}
      </div>
    </Card>
  );
}
