import { CircleAlert } from "lucide-react";
import { templates, type Template } from "#contract/calls/templates.ts";
import { listText } from "#contract/text/locale.ts";
import { useRead } from "#web/api/use-read.ts";
import { fieldsIn } from "#web/features/templates/edit/template-form.ts";
import { Button } from "#web/ui/page/button.tsx";
import { When } from "#web/ui/time/when.tsx";

type Props = {
  /** The fields of the stored template. */
  template: Template;
  /** The fields of the current text. */
  fields: readonly string[];
};

/** Before a save that adds or removes fields: what is scheduled with this template, and how it is affected. */
export function UsesNote({ template, fields }: Props) {
  const read = useRead(templates.uses, { params: { id: template.id } }, { fresh: true });
  const uses = read.data ?? [];
  const before = fieldsIn(`${template.subject}\n${template.content}`);
  const added = fields.filter((field) => !before.includes(field));
  const removed = before.filter((field) => !fields.includes(field));
  if (added.length === 0 && removed.length === 0) return null;
  if (read.error) {
    return (
      <div
        role="alert"
        className="flex flex-wrap items-center gap-2.5 rounded-md bg-warn-soft px-4 py-3 text-sm text-warn"
      >
        <CircleAlert aria-hidden className="size-4 shrink-0" />
        <p>We couldn't check which schedules use this template.</p>
        <Button size="sm" busy={read.isFetching} onClick={() => void read.refetch()}>
          Retry
        </Button>
      </div>
    );
  }
  if (uses.length === 0) return null;
  const schedules = uses.filter(({ kind }) => kind === "schedule");
  const notifications = uses.filter(({ kind }) => kind === "notification");
  return (
    <output className="flex gap-2.5 rounded-md bg-warn-soft px-4 py-3 text-sm text-warn">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="flex min-w-0 flex-col gap-1">
        <p className="font-semibold">
          {sentence([named(added, "new"), named(removed, "removed")].filter(Boolean).join(", and "))}.
        </p>
        {schedules.map(({ id, name, nextRun }) => (
          <p key={id}>
            The schedule “<bdi translate="no">{name}</bdi>” uses this template.{" "}
            {nextRun && (
              <>
                Check its details before the next run, <When at={nextRun} as="full" />.
              </>
            )}
          </p>
        ))}
        {notifications.map(({ id, name, nextRun }) => (
          <p key={id}>
            “<bdi translate="no">{name}</bdi>”
            {nextRun && (
              <>
                , scheduled for <When at={nextRun} as="full" />,
              </>
            )}{" "}
            keeps the text it was scheduled with.
          </p>
        ))}
      </div>
    </output>
  );
}

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function named(fields: readonly string[], what: string): string {
  if (fields.length === 0) return "";
  const names = listText(fields.map((field) => field.replaceAll("_", " ")));
  return `${names} ${fields.length === 1 ? "is" : "are"} ${what}`;
}
