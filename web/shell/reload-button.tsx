import { RotateCw } from "lucide-react";
import { Button } from "#web/ui/page/button.tsx";

/** Reloads the page. Unsaved changes ask first. */
export function ReloadButton() {
  return (
    <Button icon={<RotateCw aria-hidden />} onClick={() => window.location.reload()}>
      Reload
    </Button>
  );
}
