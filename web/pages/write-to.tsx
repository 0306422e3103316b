import { useNavigate, useSearch } from "@tanstack/react-router";
import { CreateNotification } from "#web/pages/create-notification.tsx";
import type { WriteFromProps } from "#web/pages/write-from.tsx";
import { startOf, type WriteSearch } from "#web/pages/write-search.ts";
import { lazyDialog } from "#web/ui/dialog/lazy-dialog.tsx";

const { Dialog: WriteFrom } = lazyDialog<WriteFromProps>(() => import("#web/pages/write-from.tsx"));

/** The create dialog over any screen, as the URL asks for it (?write=new, ?write=user:12). */
export function WriteTo() {
  const write = useSearch({ strict: false, select: (search) => search.write });
  const copy = useSearch({ strict: false, select: (search) => search.copy });
  const occurrence = useSearch({ strict: false, select: (search) => search.occurrence });
  const units = useSearch({ strict: false, select: (search) => search.units });
  const navigate = useNavigate();
  const close = () =>
    void navigate({
      to: ".",
      search: (screen: WriteSearch) => ({
        ...screen,
        write: undefined,
        copy: undefined,
        occurrence: undefined,
        units: undefined,
      }),
      replace: true,
      resetScroll: false,
    });
  const start = startOf(write);
  if (start) {
    const from = { start: { ...start, occurrence, units }, copy };
    return <WriteFrom key={JSON.stringify(from)} {...from} open onOpenChange={close} />;
  }
  return <CreateNotification open={write === "new"} onOpenChange={close} />;
}
