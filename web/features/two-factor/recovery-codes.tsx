import { Copy, Download } from "lucide-react";
import { Button } from "#web/ui/button.tsx";
import { Dialog } from "#web/ui/dialog.tsx";
import { LeaveGuard } from "#web/ui/leave-guard.tsx";
import { toast } from "#web/ui/toast-store.ts";

type Props = { codes: readonly string[]; onClose: () => void };

/** The only time that recovery codes are seen. */
export function RecoveryCodes({ codes, onClose }: Props) {
  const text = `${codes.join("\n")}\n`;

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      toast({ title: "Copied!", description: "Recovery codes copied to clipboard" });
    } catch {
      toast({
        title: "Copy failed",
        description: "Could not copy text to clipboard",
        variant: "destructive",
      });
    }
  }

  return (
    <Dialog
      open
      closable={false}
      onOpenChange={onClose}
      title="Save your recovery codes"
      description="If you lose your phone, each of these signs you in once. Keep them where you keep your passwords. We can't show them again."
      footer={
        <>
          <Button className="mr-auto" icon={<Copy aria-hidden />} onClick={() => void copy()}>
            Copy
          </Button>
          <Button
            icon={<Download aria-hidden />}
            onClick={() => download(`Recovery codes for ${window.location.host}\n\n${text}`)}
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

function download(text: string) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "recovery-codes.txt";
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
