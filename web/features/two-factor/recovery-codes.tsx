import { Copy, Download } from "lucide-react";
import { Button } from "#web/ui/page/button.tsx";
import { copyText } from "#web/ui/browser/copy-text.ts";
import { Dialog } from "#web/ui/dialog/dialog.tsx";
import { downloadFile } from "#web/ui/browser/download-file.ts";
import { LeaveGuard } from "#web/ui/dialog/leave-guard.tsx";

type Props = { codes: readonly string[]; onClose: () => void };

/** The only time that recovery codes are seen. */
export function RecoveryCodes({ codes, onClose }: Props) {
  const text = `${codes.join("\n")}\n`;

  return (
    <Dialog
      open
      closable={false}
      onOpenChange={onClose}
      title="Save your recovery codes"
      description="If you lose your phone, each of these signs you in once. Keep them where you keep your passwords. We can't show them again."
      footer={
        <>
          <Button
            className="mr-auto"
            icon={<Copy aria-hidden />}
            onClick={() => void copyText("Recovery codes", text)}
          >
            Copy
          </Button>
          <Button
            icon={<Download aria-hidden />}
            onClick={() =>
              downloadFile(
                "recovery-codes.txt",
                new Blob([`Recovery codes for ${window.location.host}\n\n${text}`], {
                  type: "text/plain;charset=utf-8",
                }),
              )
            }
          >
            Download
          </Button>
          <Button variant="ink" className="max-sm:w-full" onClick={onClose}>
            I've saved them
          </Button>
        </>
      }
    >
      <ul
        aria-label="Recovery codes"
        translate="no"
        className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-md bg-sunk px-5 py-4 font-mono text-base tabular-nums"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <LeaveGuard active what="We can't show these recovery codes again." />
    </Dialog>
  );
}
