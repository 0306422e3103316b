import { useNavigate, useSearch } from "@tanstack/react-router";
import { AuditLog } from "#web/features/audit/audit-log.tsx";

export function AuditPage() {
  const search = useSearch({ from: "/settings/audit" });
  const navigate = useNavigate({ from: "/settings/audit" });
  return (
    <AuditLog
      search={search}
      onSearch={(next, { replace }) => void navigate({ search: next, replace, resetScroll: false })}
    />
  );
}
