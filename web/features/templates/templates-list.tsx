import { Archive, FileText, SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { isolated } from "#contract/text/isolate.ts";
import { templateChannel, templates, templateTypes, type Template } from "#contract/calls/templates.ts";
import { call } from "#web/api/client.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useReadList, useRefresh } from "#web/api/use-read.ts";
import { channelLook } from "#web/domain/channel.tsx";
import { useUndo } from "#web/domain/save/use-undo.ts";
import { templateColumns } from "#web/features/templates/columns.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Card } from "#web/ui/page/card.tsx";
import { DataTable, TableSkeleton } from "#web/ui/list/data-table.tsx";
import { EmptyState } from "#web/ui/feedback/empty-state.tsx";
import { FilterMenu } from "#web/ui/list/filter-menu.tsx";
import { ListStates } from "#web/ui/list/list-states.tsx";
import { ListToolbar } from "#web/ui/list/list-toolbar.tsx";
import { toast, type ToastInput } from "#web/ui/feedback/toast-store.ts";

const ROWS_PER_PAGE = 25;

/** The search parameters of the list: ?q=rent&type=Email&archived=yes&page=2 */
export type TemplatesSearch = { q?: string; type?: string; archived?: "yes"; page?: number };

type Props = {
  search: TemplatesSearch;
  /** `replace`: leaves no history entry, for instance while typing a search. */
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
  const undo = useUndo();
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
  const act = async (done: Promise<unknown>, title: string, name: string, action?: ToastInput["action"]) => {
    try {
      await done;
      await refresh(templates.list);
      toast({ title, description: `“${isolated(name)}”`, ...(action && { action }) });
    } catch (error) {
      toast({
        title: "Error",
        description: reasonOf(error),
        variant: "destructive",
      });
    }
  };
  const columns = templateColumns({
    onEdit,
    onDuplicate: ({ id, name }) =>
      void act(call(templates.duplicate, { params: { id } }), "Template Duplicated", name),
    onArchive: ({ id, name, archived: was }) => {
      const archive = (yes: boolean) => call(templates.archive, { params: { id }, body: { archived: yes } });
      const title = (yes: boolean) => (yes ? "Template Archived" : "Template Restored");
      const back = {
        make: () => archive(was),
        refreshes: [templates.list],
        done: { title: title(was), description: `“${isolated(name)}”` },
      };
      void act(archive(!was), title(!was), name, undo(back));
    },
  });
  const filtered = q !== "" || type !== undefined;

  return (
    <Card aria-label="All templates" className="cards:border-0 cards:bg-transparent cards:shadow-none">
      <ListToolbar
        label="Search templates"
        placeholder="Search templates..."
        q={q}
        onSearch={(next) => change({ q: next })}
        order="Recently used first"
      >
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
      </ListToolbar>
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
          noun: ["template", "templates"],
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
