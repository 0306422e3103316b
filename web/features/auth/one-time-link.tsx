import { Link2Off } from "lucide-react";
import type { ReactNode } from "react";
import { Explained, SignInLayout } from "#web/features/auth/sign-in-layout.tsx";
import { type OwnerOf, type Purpose, useOneTimeLink } from "#web/features/auth/use-one-time-link.ts";
import { buttonClass } from "#web/ui/page/button.tsx";
import { ErrorState } from "#web/ui/feedback/error-state.tsx";
import { useSiteTitle } from "#web/ui/page/page-title.ts";
import { Spinner } from "#web/ui/feedback/spinner.tsx";

type Props<P extends Purpose> = {
  purpose: P;
  token: string;
  /** What to know about a link that does not work. */
  deadHint: string;
  /** The page of a working link. `isDeadLink` says whether an error means that the link no longer works, and then shows that. */
  children: (owner: OwnerOf<P>, isDeadLink: (error: unknown) => boolean) => ReactNode;
};

/** The page behind a one-time link, or why the link doesn't work. */
export function OneTimeLink<P extends Purpose>({ purpose, token, deadHint, children }: Props<P>) {
  const [link, isDeadLink] = useOneTimeLink(purpose, token);
  useSiteTitle(link.state === "good" ? link.owner.siteName : undefined);
  return (
    <SignInLayout>
      {link.state === "loading" && (
        <div className="grid h-72 place-items-center text-ink-3">
          <Spinner label="Loading..." className="size-6" />
        </div>
      )}
      {link.state === "failed" && (
        <ErrorState
          title="We couldn't check this link"
          detail={link.reason}
          onRetry={() => window.location.reload()}
        />
      )}
      {link.state === "dead" && (
        <div role="alert">
          <span aria-hidden className="mb-4 grid size-11 place-items-center rounded-lg bg-sunk text-ink-3">
            <Link2Off className="size-5" />
          </span>
          <Explained heading="This link doesn't work">{link.reason}</Explained>
          <p className="text-ink-2">{deadHint}</p>
          <a href="/auth" className={`${buttonClass({ size: "lg" })} mt-6 w-full`}>
            Go to sign in
          </a>
        </div>
      )}
      {link.state === "good" && children(link.owner, isDeadLink)}
    </SignInLayout>
  );
}
