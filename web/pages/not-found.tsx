import { Link } from "@tanstack/react-router";
import { buttonClass } from "#web/ui/page/button.tsx";
import { usePageTitle } from "#web/ui/page/page-title.ts";

export function NotFound() {
  usePageTitle("404 Page Not Found");
  return (
    <div className="grid min-h-[60dvh] place-items-center text-center">
      <div>
        <h1 className="text-2xl font-bold tracking-tight">404 Page Not Found</h1>
        <p className="mt-2 text-ink-2">Did you forget to add the page to the router?</p>
        <Link to="/" className={`${buttonClass()} mt-6`}>
          Back home
        </Link>
      </div>
    </div>
  );
}
