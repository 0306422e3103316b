import { useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { PropertyDialog, prefetchPropertyDialog } from "#web/features/places/launcher.ts";
import { PropertiesList } from "#web/features/places/properties-list.tsx";
import { dialogsOf } from "#web/pages/page-search.ts";
import type { PropertiesSearch } from "#web/pages/properties-search.ts";
import { Button } from "#web/ui/page/button.tsx";
import { PageHeader } from "#web/ui/page/page-header.tsx";

export function PropertiesPage() {
  const { open, edit, ...search }: PropertiesSearch = useSearch({ from: "/properties" });
  const navigate = useNavigate({ from: "/properties" });
  const show = (dialog: Pick<PropertiesSearch, "open" | "edit">) =>
    void navigate({
      search: (now: PropertiesSearch) => ({ ...now, open: undefined, edit: undefined, ...dialog }),
      replace: Object.keys(dialog).length === 0,
      resetScroll: false,
    });
  const add = (
    <Button
      variant="ink"
      icon={<Plus aria-hidden />}
      onPointerEnter={prefetchPropertyDialog}
      onFocus={prefetchPropertyDialog}
      onClick={() => show({ open: "new" })}
    >
      Add Property
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Properties"
        help="properties"
        subtitle="Buildings, homes and who lives in them"
        actions={add}
      />
      <PropertiesList
        search={search}
        onSearch={(next, { replace }) =>
          void navigate({
            search: (now: PropertiesSearch) => ({ ...dialogsOf(now), ...next }),
            replace,
            resetScroll: false,
          })
        }
        editing={edit}
        onEditing={(id) => show(id === undefined ? {} : { edit: id })}
        emptyAction={add}
      />
      <PropertyDialog
        open={open === "new"}
        onOpenChange={(shown) => {
          if (!shown) show({});
        }}
        propertyId={undefined}
        onSaved={({ id }) => void navigate({ to: "/properties/$id", params: { id: String(id) } })}
      />
    </>
  );
}
