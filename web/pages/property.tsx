import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { PropertyMissing, PropertyView } from "#web/features/places/property-view.tsx";
import type { PropertySearch } from "#web/pages/properties-search.ts";

export function PropertyPage() {
  const { id: text } = useParams({ from: "/properties/$id" });
  const search: PropertySearch = useSearch({ from: "/properties/$id" });
  const navigate = useNavigate({ from: "/properties/$id" });
  const id = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  if (id === undefined) return <PropertyMissing />;
  return (
    <PropertyView
      key={id}
      id={id}
      search={search}
      onSearch={(next, { replace }) => void navigate({ search: next, replace, resetScroll: false })}
    />
  );
}
