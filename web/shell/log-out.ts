import { auth } from "#contract/calls/auth.ts";
import { call } from "#web/api/client.ts";
import { onNewsFromOtherTabs, tellOtherTabs } from "#web/api/other-tabs.ts";
import { sentenceOf } from "#web/api/reason-of.ts";
import { recheckSession, signedOut } from "#web/api/session.ts";
import { leaveForGood } from "#web/shell/address.ts";
import { leaveIfAllowed } from "#web/ui/dialog/leaving.ts";
import { toast } from "#web/ui/feedback/toast-store.ts";

// Otherwise other tabs would still show this person's pages to the next one who uses the browser.
onNewsFromOtherTabs((news) => {
  const left = news === "signed-out";
  if (left) leaveForGood();
  void recheckSession({ left });
});

/** Asks first if something is unsaved. */
export const logOut = () => leaveIfAllowed(() => void endSession());

async function endSession() {
  try {
    await call(auth.logout);
  } catch (error) {
    const description = sentenceOf(error, "An unknown error occurred");
    toast({ title: "Logout failed", description, variant: "destructive" });
    return;
  }
  tellOtherTabs("signed-out");
  leaveForGood();
  signedOut();
  toast({ title: "Logged out", description: "You have been successfully logged out." });
}
