import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { fold } from "#contract/text/fold.ts";
import { templateChannel, templates, type Template } from "#contract/calls/templates.ts";
import { callList } from "#web/api/client.ts";
import { isUnreachable } from "#web/api/unreachable.ts";
import { readKey } from "#web/api/use-read.ts";
import { channelLook } from "#web/domain/channel.tsx";
import { inFieldNames } from "#web/domain/message/fields.ts";
import { FieldText } from "#web/domain/message/field-text.tsx";
import { HighPriority } from "#web/domain/high-priority.tsx";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { costlyLetter } from "#web/domain/message/sms-cost.tsx";
import { Button } from "#web/ui/page/button.tsx";
import type { FieldWiring } from "#web/ui/form/field.tsx";
import type { PickerOption } from "#web/ui/form/multi-picker.tsx";
import { SearchSelect } from "#web/ui/form/search-select.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import type { Found } from "#web/ui/form/use-search.ts";

type Props = FieldWiring & {
  value: string;
  onChange: (template: Template) => void;
  /** Shown at the right end of the bar below the text. If omitted, the text is shown elsewhere. */
  aside?: ReactNode;
};

type Option = PickerOption & { template: Template };

const PAGE = 50;

function optionOf(template: Template): Option {
  const { id, name, type, subject, content } = template;
  const { Icon } = channelLook[templateChannel[type]];
  return {
    key: String(id),
    label: name,
    detail: inFieldNames(subject || content),
    icon: <Icon aria-hidden />,
    template,
  };
}

/** During an outage, searches the templates from the last reply. */
async function searchTemplates(
  q: string,
  signal: AbortSignal,
  known: readonly Template[],
): Promise<Found<Option>> {
  try {
    const query = { q, sort: "choice", bestFirst: true, pageSize: PAGE } as const;
    const { rows, total } = await callList(templates.list, { query }, { signal });
    return { options: rows.map((template) => optionOf(template)), total };
  } catch (error) {
    if (!isUnreachable(error)) throw error;
    const fitting = known.filter(({ name }) => fold(name).includes(fold(q)));
    return { options: fitting.map((template) => optionOf(template)) };
  }
}

/** A template chosen by name, searched on the server, with its text below. */
export function TemplatePicker({ value, onChange, aside, ...wiring }: Props) {
  const client = useQueryClient();
  const { templates: known, templatesRead, template, preview } = useMessage();
  if (templatesRead.loading) return <Skeleton className="h-9" />;
  if (templatesRead.failed) {
    return (
      <p role="alert" className="flex items-center gap-3 text-sm text-bad">
        We couldn't load the templates.
        <Button size="sm" onClick={templatesRead.retry}>
          Retry
        </Button>
      </p>
    );
  }
  // A deleted template stays visible, but cannot be chosen.
  const gone = value !== "" && !template;
  return (
    <div className="flex flex-col gap-2">
      <SearchSelect
        {...wiring}
        chosen={template?.name ?? ""}
        search={(text, signal) => searchTemplates(text, signal, known)}
        onPick={({ template: picked }) => {
          // The form reads the chosen one by its id; the search result is enough for that.
          client.setQueryData(readKey(templates.read, { params: { id: picked.id } }), picked);
          onChange(picked);
        }}
        placeholder={gone ? "This template was deleted. Choose another" : "Choose a template"}
        emptyText="No templates found"
      />
      {template && aside && (
        <div className="rounded-md border border-line bg-paper">
          <section
            aria-label="Template text"
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard
            tabIndex={0}
            className="overflow-y-auto px-3 py-2.5 text-sm leading-6 break-words whitespace-pre-wrap md:max-h-60"
          >
            {template.subject && (
              <p className="mb-1.5 border-b border-line pb-1.5 font-semibold">
                <span className="font-normal text-ink-3">Email subject: </span>
                <bdi>
                  <FieldText text={template.subject} />
                </bdi>
              </p>
            )}
            <FieldText text={template.contentText} marked={costlyLetter(preview.preview?.sms)} />
          </section>
          <div className="flex flex-wrap items-center justify-end gap-x-3 border-t border-line p-1">
            {template.class === "emergency" && (
              <p className="mr-auto flex flex-wrap items-center gap-2 px-2 py-1 text-sm text-ink-2">
                <HighPriority /> Goes ahead of all other messages.
              </p>
            )}
            {aside}
          </div>
        </div>
      )}
    </div>
  );
}
