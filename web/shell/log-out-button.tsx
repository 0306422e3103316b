import { LogOut } from "lucide-react";
import { logOut } from "#web/shell/log-out.ts";
import { Button } from "#web/ui/page/button.tsx";

/** The way out of a step that has to be done before anything else works. */
export function LogOutButton() {
  return (
    <Button variant="ghost" icon={<LogOut aria-hidden />} onClick={logOut}>
      Log out
    </Button>
  );
}
