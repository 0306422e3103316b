import { Link } from "@tanstack/react-router";
import { ShieldAlert } from "lucide-react";
import { type Permission, rolesWith } from "#contract/permissions.ts";
import { buttonClass } from "#web/ui/page/button.tsx";
import { usePageTitle } from "#web/ui/page/page-title.ts";

/** The page of a screen that needs a permission. */
export function AccessDenied({ needs }: { needs: Permission }) {
  usePageTitle("Access Denied");
  return (
    <div className="grid min-h-[60dvh] place-items-center text-center">
      <div className="max-w-md">
        <ShieldAlert aria-hidden className="mx-auto mb-4 size-9 text-bad" />
        <h1 className="text-2xl font-bold tracking-tight">Access Denied</h1>
        <p className="mt-2 text-ink-2">
          You don't have permission to access this page. This area requires {rolesWith(needs).join(" or ")}{" "}
          privileges.
        </p>
        <Link to="/" className={`${buttonClass()} mt-6`}>
          Back home
        </Link>
      </div>
    </div>
  );
}
