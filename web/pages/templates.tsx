import { useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { TemplateDialogProps } from "#web/features/templates/edit/template-dialog.tsx";
import { TemplatesList } from "#web/features/templates/templates-list.tsx";
import { Button } from "#web/ui/button.tsx";
import { lazyDialog } from "#web/ui/lazy-dialog.tsx";
import { PageHeader } from "#web/ui/page-header.tsx";

const { Dialog: TemplateDialog, prefetch } = lazyDialog<TemplateDialogProps>(
  () => import("#web/features/templates/edit/template-dialog.tsx"),
);

type Editing = { open: false } | { open: true; templateId: number | undefined };

export function TemplatesPage() {
  const search = useSearch({ from: "/templates" });
  const navigate = useNavigate({ from: "/templates" });
  const [editing, setEditing] = useState<Editing>({ open: false });
  const add = (
    <Button
      variant="ink"
      icon={<Plus aria-hidden />}
      onPointerEnter={prefetch}
      onClick={() => setEditing({ open: true, templateId: undefined })}
    >
      New Template
    </Button>
  );
  return (
    <>
      <PageHeader title="Templates" subtitle="Messages you write once and use again" actions={add} />
      <TemplatesList
        search={search}
        onSearch={(next, { replace }) => void navigate({ search: next, replace, resetScroll: !replace })}
        onEdit={({ id }) => setEditing({ open: true, templateId: id })}
        emptyAction={add}
      />
      <TemplateDialog
        open={editing.open}
        onOpenChange={(open) => {
          if (!open) setEditing({ open: false });
        }}
        templateId={editing.open ? editing.templateId : undefined}
      />
    </>
  );
}
