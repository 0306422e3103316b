import { isolated } from "#contract/text/isolate.ts";
import type { SignedIn } from "#contract/calls/auth.ts";
import { tellOtherTabs } from "#web/api/other-tabs.ts";
import { signedIn } from "#web/api/session.ts";
import { forgetDraftsOf, rememberShared } from "#web/api/this-browser.ts";
import { toast } from "#web/ui/feedback/toast-store.ts";

/** The last thing of every sign-in, whatever its steps were. */
export function finishSignIn(user: SignedIn, sharedComputer: boolean) {
  rememberShared(sharedComputer);
  if (sharedComputer) forgetDraftsOf(user.id);
  toast({ title: "Login successful", description: `Welcome back, ${isolated(user.firstName)}!` });
  signedIn(user);
  // Those that wait for this person can go on.
  tellOtherTabs("signed-in");
}
