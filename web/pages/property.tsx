import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useUser } from "#web/api/session.ts";
import { DeliveryBadge } from "#web/features/notifications/detail/delivery-badge.tsx";
import { PropertyMissing, PropertyView } from "#web/features/places/property-view.tsx";
import { UserDialog } from "#web/features/users/launcher.ts";
import type { PropertySearch } from "#web/pages/properties-search.ts";

export function PropertyPage() {
  const { id: text } = useParams({ from: "/properties/$id" });
  const { edit, field, ...search }: PropertySearch = useSearch({ from: "/properties/$id" });
  const navigate = useNavigate({ from: "/properties/$id" });
  const actor = useUser();
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  if (id === undefined) return <PropertyMissing />;
  return (
    <>
      <PropertyView
        key={id}
        id={id}
        search={search}
        onSearch={(next, { replace }) => void navigate({ search: next, replace, resetScroll: false })}
        Outcome={DeliveryBadge}
      />
      {actor && (
        <UserDialog
          open={edit !== undefined}
          onOpenChange={() => void navigate({ search, replace: true, resetScroll: false })}
          actor={actor}
          personId={edit}
          focusOn={field}
        />
      )}
    </>
  );
}
