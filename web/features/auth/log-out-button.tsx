import { LogOut } from "lucide-react";
import { auth } from "#contract/auth.ts";
import { call } from "#web/api/client.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { signedOut } from "#web/api/session.ts";
import { Button } from "#web/ui/button.tsx";
import { toast } from "#web/ui/toast-store.ts";

/** The way out of a step that has to be done before anything else works. */
export function LogOutButton() {
  async function logOut() {
    try {
      await call(auth.logout);
      signedOut();
    } catch (error) {
      toast({ title: "Logout failed", description: reasonOf(error), variant: "destructive" });
    }
  }
  return (
    <Button variant="ghost" icon={<LogOut aria-hidden />} onClick={() => void logOut()}>
      Log out
    </Button>
  );
}
