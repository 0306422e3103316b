import { Link } from "@tanstack/react-router";
import { Archive, ArchiveRestore, CalendarClock, Copy, MoreHorizontal } from "lucide-react";
import { isolated } from "#contract/text/isolate.ts";
import { templateChannel, type Template } from "#contract/calls/templates.ts";
import { inFieldNames } from "#web/domain/message/fields.ts";
import { HighPriority } from "#web/domain/high-priority.tsx";
import { ChannelIcon } from "#web/domain/channel.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { aboveRowLink, rowLink, type Column } from "#web/ui/list/data-table.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "#web/ui/page/menu.tsx";
import { When } from "#web/ui/time/when.tsx";

type Actions = Record<"onEdit" | "onDuplicate" | "onArchive", (template: Template) => void>;

export function templateColumns({ onEdit, onDuplicate, onArchive }: Actions): Column<Template>[] {
  return [
    {
      id: "type",
      header: "Type",
      card: "icon",
      className: "rows:w-20 rows:snug:w-16",
      cell: ({ type }) => <ChannelIcon channel={templateChannel[type]} />,
    },
    {
      id: "name",
      header: "Template Name",
      card: "title",
      cell: (template) => (
        <>
          <span className="flex flex-wrap items-center gap-x-2">
            <button
              type="button"
              {...rowLink}
              className={`${rowLink.className} min-w-0 text-left`}
              onClick={() => onEdit(template)}
            >
              <bdi translate="no" className="break-words">
                {template.name}
              </bdi>
            </button>
            {template.class === "emergency" && <HighPriority />}
          </span>
          <Beginning template={template} />
        </>
      ),
    },
    {
      id: "fields",
      header: "Dynamic Fields",
      card: "detail",
      className: "rows:w-[22%] rows:snug:w-[20%] cards:mt-1",
      cell: ({ dynamicFields }) => <FieldNames fields={dynamicFields} />,
    },
    {
      id: "used",
      header: "Last Used",
      card: "start",
      className: "rows:w-44 rows:snug:w-33",
      cell: ({ lastUsed, schedules }) => (
        <>
          <span className="text-ink-3 rows:hidden">Last used: </span>
          {lastUsed ? <When at={lastUsed} /> : <span className="text-ink-3">Never</span>}
          <UsedBy schedules={schedules} />
        </>
      ),
    },
    {
      id: "creator",
      header: "Created By",
      card: "line",
      className: "rows:w-34 rows:snug:w-26",
      cell: ({ createdBy }) => <bdi translate="no">{createdBy}</bdi>,
    },
    {
      id: "actions",
      header: "Actions",
      card: "end",
      className: "rows:w-30 rows:text-right",
      cell: (template) => (
        <span className={`${aboveRowLink} inline-flex items-center gap-1`}>
          <Button variant="ghost" size="sm" onClick={() => onEdit(template)}>
            Edit
            <span className="sr-only">
              {" "}
              <bdi translate="no">{template.name}</bdi>
            </span>
          </Button>
          <Menu>
            <MenuTrigger>
              <Button
                variant="ghost"
                size="icon"
                icon={<MoreHorizontal aria-hidden />}
                aria-label={`More actions for ${isolated(template.name)}`}
              />
            </MenuTrigger>
            <MenuContent>
              <MenuItem onSelect={() => onDuplicate(template)}>
                <Copy aria-hidden />
                Duplicate
              </MenuItem>
              <ArchiveItem template={template} onArchive={onArchive} />
            </MenuContent>
          </Menu>
        </span>
      ),
    },
  ];
}

/** The start of the text, with fields shown by name. */
function Beginning({ template: { subject, content } }: { template: Template }) {
  return (
    <bdi translate="no" className="line-clamp-1 break-all text-ink-3">
      {inFieldNames((subject || content).slice(0, EXCERPT))}
    </bdi>
  );
}

const EXCERPT = 200;

function UsedBy({ schedules: { total, first } }: Pick<Template, "schedules">) {
  const [next] = first;
  if (!next) return null;
  const more = total - 1;
  return (
    <span className="flex items-start gap-1.5 text-ink-3">
      <CalendarClock aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0">
        <span className="sr-only">In the schedule </span>
        <Link
          to="/schedules"
          search={{ tab: "all", schedule: next.id }}
          title={first.map(({ name }) => name).join(", ")}
          className={`${aboveRowLink} break-words underline-offset-4 hover:text-ink hover:underline`}
        >
          <bdi translate="no">{next.name}</bdi>
        </Link>
        {more > 0 && ` and ${more} more`}
      </span>
    </span>
  );
}

/** Archives or restores the template. If schedules use it, says so instead. */
function ArchiveItem({ template, onArchive }: Pick<Actions, "onArchive"> & { template: Template }) {
  const { archived, schedules } = template;
  if (archived || schedules.total === 0) {
    return (
      <MenuItem onSelect={() => onArchive(template)}>
        {archived ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
        {archived ? "Restore from archive" : "Archive"}
      </MenuItem>
    );
  }
  return (
    // Not `disabled`, because keyboard users could not reach the reason.
    <MenuItem
      aria-disabled
      onSelect={(event) => event.preventDefault()}
      className="max-w-64 cursor-not-allowed items-start! py-2 [&_svg]:mt-0.5"
    >
      <Archive aria-hidden />
      <span className="text-ink-2">
        Archive
        <span className="block text-[0.8125rem] text-ink-3">
          {schedules.total === 1 ? "1 schedule uses it." : `${schedules.total} schedules use it.`} Choose
          another template there first.
        </span>
      </span>
    </MenuItem>
  );
}

function FieldNames({ fields }: { fields: readonly string[] }) {
  const names = fields.map((field) => field.replaceAll("_", " ")).join(", ");
  return (
    <span className="line-clamp-1 text-ink-3" title={names}>
      {names || "None"}
    </span>
  );
}
