import { toast } from "#web/ui/feedback/toast-store.ts";

/** Puts text on the clipboard, and says so, or that the browser does not allow it. `what`: "Calendar link". */
export async function copyText(what: string, text: string): Promise<void> {
  try {
    await write(text);
    toast({ title: "Copied!", description: `${what} copied to clipboard` });
  } catch {
    toast({
      title: "Copy Failed",
      description: "Could not copy text to clipboard",
      variant: "destructive",
    });
  }
}

async function write(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Over plain http, as in a local network, browsers have only the old way.
  let copied = false;
  const onCopy = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    copied = event.clipboardData !== null;
  };
  document.addEventListener("copy", onCopy, { once: true, capture: true });
  document.execCommand("copy");
  document.removeEventListener("copy", onCopy, { capture: true });
  if (!copied) throw new Error("The browser does not allow copying here");
}
