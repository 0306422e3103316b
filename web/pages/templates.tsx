import { useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import type { TemplateDialogProps } from "#web/features/templates/edit/template-dialog.tsx";
import { dialogsOf, type TemplatesPageSearch } from "#web/pages/page-search.ts";
import { TemplatesList } from "#web/features/templates/templates-list.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { lazyDialog } from "#web/ui/dialog/lazy-dialog.tsx";
import { PageHeader } from "#web/ui/page/page-header.tsx";

const { Dialog: TemplateDialog, prefetch } = lazyDialog<TemplateDialogProps>(
  () => import("#web/features/templates/edit/template-dialog.tsx"),
);

export function TemplatesPage() {
  const { open, edit, ...search } = useSearch({ from: "/templates" });
  const navigate = useNavigate({ from: "/templates" });
  const show = (dialog: Pick<TemplatesPageSearch, "open" | "edit">, { replace }: { replace: boolean }) =>
    void navigate({
      search: (now: TemplatesPageSearch) => ({ ...now, open: undefined, edit: undefined, ...dialog }),
      replace,
      resetScroll: false,
    });
  const add = (
    <Button
      variant="ink"
      icon={<Plus aria-hidden />}
      onPointerEnter={prefetch}
      onClick={() => show({ open: "new" }, { replace: false })}
    >
      New Template
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Templates"
        subtitle="Messages you write once and use again"
        actions={add}
        help="templates"
      />
      <TemplatesList
        search={search}
        onSearch={(next, { replace }) =>
          void navigate({
            search: (now: TemplatesPageSearch) => ({ ...dialogsOf(now), ...next }),
            replace,
            resetScroll: false,
          })
        }
        onEdit={({ id }) => show({ edit: id }, { replace: false })}
        emptyAction={add}
      />
      <TemplateDialog
        key={edit ?? "new"}
        open={open === "new" || edit !== undefined}
        onOpenChange={(shown) => {
          if (!shown) show({}, { replace: true });
        }}
        templateId={edit}
      />
    </>
  );
}
