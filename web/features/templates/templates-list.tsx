import { Link } from "@tanstack/react-router";
import {
  Archive,
  ArchiveRestore,
  CalendarClock,
  Copy,
  FileText,
  MoreHorizontal,
  SearchX,
} from "lucide-react";
import type { ReactNode } from "react";
import { templateChannel, templates, templateTypes } from "#contract/templates.ts";
import type { Template } from "#contract/templates.ts";
import { call } from "#web/api/client.ts";
import { useReadList, useRefresh } from "#web/api/use-read.ts";
import { inFieldNames } from "#web/domain/message/fields.ts";
import { ChannelIcon, channelLook } from "#web/domain/channel.tsx";
import { Button } from "#web/ui/button.tsx";
import { Card } from "#web/ui/card.tsx";
import { DataTable, TableSkeleton, aboveRowLink, rowLink } from "#web/ui/data-table.tsx";
import type { Column } from "#web/ui/data-table.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { FilterMenu } from "#web/ui/filter-menu.tsx";
import { ListStates } from "#web/ui/list-states.tsx";
import { Menu, MenuContent, MenuItem, MenuTrigger } from "#web/ui/menu.tsx";
import { SearchInput } from "#web/ui/search-input.tsx";
import { toast } from "#web/ui/toast-store.ts";
import { useTypedSearch } from "#web/ui/use-typed-search.ts";
import { When } from "#web/ui/when.tsx";

const ROWS_PER_PAGE = 25;

/** What the address of the list carries: ?q=rent&type=Email&archived=yes&page=2 */
export type TemplatesSearch = { q?: string; type?: string; archived?: "yes"; page?: number };

type Props = {
  search: TemplatesSearch;
  /** `replace`: the step is not worth a way back, such as one more letter of a search. */
  onSearch: (search: TemplatesSearch, options: { replace: boolean }) => void;
  onEdit: (template: Template) => void;
  emptyAction: ReactNode;
};

const typeOptions = templateTypes.map((value) => {
  const { Icon } = channelLook[templateChannel[value]];
  return { value, label: value, icon: <Icon aria-hidden /> };
});

export function TemplatesList({ search, onSearch, onEdit, emptyAction }: Props) {
  const { q = "", archived, page = 1 } = search;
  const type = templateTypes.find((one) => one === search.type);
  const refresh = useRefresh();
  const read = useReadList(templates.list, {
    query: { q, ...(type && { type }), archived: archived !== undefined, page, pageSize: ROWS_PER_PAGE },
  });
  const change = ({
    q: nextQ = q,
    type: nextType = type,
    archived: nextArchived = archived,
    page: at,
  }: Change) =>
    onSearch(
      {
        ...(nextQ ? { q: nextQ } : {}),
        ...(nextType ? { type: nextType } : {}),
        ...(nextArchived ? { archived: "yes" as const } : {}),
        ...(at && at > 1 ? { page: at } : {}),
      },
      { replace: nextQ !== q },
    );
  const [text, setText] = useTypedSearch(q, (next) => change({ q: next }));
  const act = async (done: Promise<unknown>, title: string, name: string) => {
    try {
      await done;
      await refresh(templates.list);
      toast({ title, description: `“${name}”` });
    } catch (error) {
      toast({
        title: "Error",
        description: error instanceof Error ? error.message : "Something went wrong",
        variant: "destructive",
      });
    }
  };
  const columns = templateColumns({
    onEdit,
    onDuplicate: ({ id, name }) =>
      void act(call(templates.duplicate, { params: { id } }), "Template Duplicated", name),
    onArchive: ({ id, name, archived: was }) =>
      void act(
        call(templates.archive, { params: { id }, body: { archived: !was } }),
        was ? "Template Restored" : "Template Archived",
        name,
      ),
  });
  const filtered = q !== "" || type !== undefined;

  return (
    <Card aria-label="All templates" className="cards:border-0 cards:bg-transparent cards:shadow-none">
      <div className="flex flex-wrap items-center gap-2 cards:pb-4 rows:border-b rows:border-line rows:p-3">
        <SearchInput
          slash
          label="Search templates"
          placeholder="Search templates..."
          value={text}
          onChange={setText}
          className="w-full md:w-auto md:flex-1 rows:max-w-75"
        />
        <FilterMenu
          label="Type"
          all="Any type"
          icon={<FileText aria-hidden />}
          options={typeOptions}
          value={type}
          onChange={(next) => change({ type: next ?? "" })}
        />
        <Button
          aria-pressed={archived !== undefined}
          icon={<Archive aria-hidden />}
          className={archived ? "border-ink" : ""}
          onClick={() => change({ archived: archived ? "" : "yes" })}
        >
          Archived
        </Button>
        <span className="ml-auto pr-1 text-sm text-ink-3 cards:hidden">Recently used first</span>
      </div>
      <ListStates
        read={read}
        failed="Error loading templates"
        skeleton={<TableSkeleton columns={columns} rows={6} />}
        empty={
          filtered ? (
            <EmptyState
              icon={<SearchX />}
              title="No matching templates found"
              hint="We search names, types and subjects. Try fewer words."
              action={<Button onClick={() => change({ q: "", type: "" })}>Clear search</Button>}
            />
          ) : (
            <EmptyState
              icon={<FileText />}
              title="No templates found"
              hint={
                archived
                  ? "Templates you archive are kept here."
                  : "A template is a message you write once and send whenever you need it."
              }
              action={archived ? undefined : emptyAction}
            />
          )
        }
        pages={{
          noun: "templates",
          page,
          pageSize: ROWS_PER_PAGE,
          onPage: (next, options) => onSearch({ ...search, page: next }, options),
        }}
      >
        {(rows, stale) => (
          <DataTable label="Templates" columns={columns} rows={rows} rowKey={({ id }) => id} stale={stale} />
        )}
      </ListStates>
    </Card>
  );
}

type Change = { q?: string; type?: string; archived?: string; page?: number };

type Actions = Record<"onEdit" | "onDuplicate" | "onArchive", (template: Template) => void>;

function templateColumns({ onEdit, onDuplicate, onArchive }: Actions): Column<Template>[] {
  return [
    {
      id: "type",
      header: "Type",
      card: "icon",
      className: "rows:w-20",
      cell: ({ type }) => <ChannelIcon channel={templateChannel[type]} />,
    },
    {
      id: "name",
      header: "Template Name",
      card: "title",
      cell: (template) => (
        <>
          <button
            type="button"
            {...rowLink}
            className={`${rowLink.className} text-left`}
            onClick={() => onEdit(template)}
          >
            <bdi className="break-words">{template.name}</bdi>
          </button>
          <Beginning template={template} />
        </>
      ),
    },
    {
      id: "fields",
      header: "Dynamic Fields",
      card: "detail",
      className: "rows:w-[27%] cards:mt-1",
      cell: ({ dynamicFields }) => <FieldChips fields={dynamicFields} />,
    },
    {
      id: "used",
      header: "Last Used",
      card: "start",
      className: "rows:w-44",
      cell: ({ lastUsed, schedules }) => (
        <>
          {lastUsed ? <When at={lastUsed} /> : <span className="text-ink-3">Never</span>}
          <UsedBy schedules={schedules} />
        </>
      ),
    },
    {
      id: "creator",
      header: "Created By",
      card: "line",
      className: "rows:w-34",
      cell: ({ createdBy }) => <bdi>{createdBy}</bdi>,
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
            <span className="sr-only"> {template.name}</span>
          </Button>
          <Menu>
            <MenuTrigger>
              <Button
                variant="ghost"
                size="icon"
                icon={<MoreHorizontal aria-hidden />}
                aria-label={`More actions for ${template.name}`}
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

/** What its reader sees first, the fields by their names. */
function Beginning({ template: { subject, content } }: { template: Template }) {
  return (
    <bdi className="line-clamp-1 break-all text-ink-3">
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
          <bdi>{next.name}</bdi>
        </Link>
        {more > 0 && ` and ${more} more`}
      </span>
    </span>
  );
}

/** Archives or restores; while schedules send the template, it says so instead. */
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
    // Not `disabled`: no one would reach its reason with the keyboard.
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

const SHOWN = 3;

function FieldChips({ fields }: { fields: readonly string[] }) {
  if (fields.length === 0) return <span className="text-ink-3">None</span>;
  const more = fields.length - SHOWN;
  return (
    <span className="flex flex-wrap gap-1" title={fields.join(", ")}>
      {fields.slice(0, SHOWN).map((field) => (
        <span key={field} className="field-chip">
          {field.replaceAll("_", " ")}
        </span>
      ))}
      {more > 0 && <span className="text-sm text-ink-3">+{more}</span>}
    </span>
  );
}
