/** Puts text on the clipboard. Throws where the browser does not allow it. */
export async function copyText(file: Blob): Promise<void> {
  const text = await file.text();
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
