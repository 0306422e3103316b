import { RotateCw } from "lucide-react";
import { Button } from "#web/ui/button.tsx";

/** Loads the page again; what is unsaved on it asks first. */
export function ReloadButton() {
  return (
    <Button icon={<RotateCw aria-hidden />} onClick={() => window.location.reload()}>
      Reload
    </Button>
  );
}
