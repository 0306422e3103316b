import { NoticeLetter, useNotice } from "#web/features/notices/notice-letter.tsx";
import { Dialog } from "#web/ui/dialog/dialog.tsx";

type Props = { id: number; onClose: () => void };

/** One notice over another screen, for people whose first screen isn't their notices. */
export function NoticeDialog({ id, onClose }: Props) {
  const read = useNotice(id);
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={read.data?.title ?? "Notice"}
    >
      <NoticeLetter read={read} />
    </Dialog>
  );
}
