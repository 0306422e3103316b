import { Link } from "@tanstack/react-router";
import { CircleCheck, Circle } from "lucide-react";
import type { ReactNode } from "react";
import { dashboard, type FirstSteps as Steps } from "#contract/calls/dashboard.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useWrite } from "#web/api/use-write.ts";
import { LoadSampleButton } from "#web/domain/sample-property.tsx";
import { Button, buttonClass } from "#web/ui/page/button.tsx";
import { Card, CardHeader } from "#web/ui/page/card.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { toast } from "#web/ui/feedback/toast-store.ts";

type Props = {
  steps: Steps;
  /** Opens the import. */
  importButton: ReactNode;
  /** Opens a new notification. */
  composeButton: ReactNode;
};

/** From an empty system to the first delivered message. Each step ticks itself from what is on record. */
export function FirstSteps({ steps, importButton, composeButton }: Props) {
  const close = useWrite(dashboard.closeFirstSteps, { refreshes: [dashboard.read] });
  const items = [
    {
      done: steps.introduced,
      title: "Say who you are",
      text: "The name that tenants see, your time zone, and where replies go.",
      action: (
        <Link to="/welcome" className={buttonClass()}>
          Answer three questions
        </Link>
      ),
    },
    {
      done: steps.people,
      title: "Add people",
      text: "Import a list of tenants and staff, or add them one by one.",
      action: (
        <>
          {importButton}
          <Link to="/users" search={{ open: "new" }} className={buttonClass()}>
            Add a person
          </Link>
        </>
      ),
    },
    {
      done: steps.channel,
      title: "Connect a channel",
      text: "Set up email, text messages or push. Until then, messages go to the Sandbox and reach no one.",
      action: (
        <Link to="/integrations" className={buttonClass()}>
          Connect a channel
        </Link>
      ),
    },
    {
      done: steps.delivered,
      title: "Send your first notification",
      text: "Send one to yourself first to see how it looks.",
      action: composeButton,
    },
  ];
  const left = items.filter(({ done }) => !done).length;
  return (
    <Card aria-labelledby="first-steps" className="mb-5">
      <CardHeader
        title={
          <>
            <span id="first-steps" className="mr-2">
              First steps
            </span>
            <span className="text-sm font-normal text-ink-2">
              {left} of {items.length} to go
            </span>
          </>
        }
      >
        <Button
          size="sm"
          busy={close.isPending}
          onClick={() =>
            close.mutate(
              {},
              {
                onError: (error) =>
                  toast({ variant: "destructive", title: "Error", description: reasonOf(error) }),
              },
            )
          }
        >
          Dismiss
        </Button>
      </CardHeader>
      <ol className="divide-y divide-line border-t border-line">
        {items.map(({ done, title, text, action }) => {
          const Icon = done ? CircleCheck : Circle;
          return (
            <li key={title} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 text-sm">
              <Icon
                aria-hidden
                className={cx("size-5 shrink-0 self-start", done ? "text-good" : "text-ink-3")}
              />
              <div className="min-w-56 flex-1">
                <p className={cx("font-semibold", done && "text-ink-2")}>
                  {title}
                  {done && <span className="sr-only"> (done)</span>}
                </p>
                {!done && <p className="text-ink-2">{text}</p>}
              </div>
              {!done && <div className="flex flex-wrap gap-2">{action}</div>}
            </li>
          );
        })}
      </ol>
      {steps.canLoadSample && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line px-4 py-3 text-sm">
          <p className="min-w-56 flex-1 text-ink-2">
            Just looking around? The sample property has invented people and two months of messages. You can
            remove it with one click.
          </p>
          <LoadSampleButton />
        </div>
      )}
    </Card>
  );
}
