/** Puts a text on the clipboard. Throws when the browser does not let it. */
export async function copyText(file: Blob): Promise<void> {
  const text = await file.text();
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  // Over plain http, as in a house's own network, browsers have only the old way.
  let taken = false;
  const onCopy = (event: ClipboardEvent) => {
    event.clipboardData?.setData("text/plain", text);
    event.preventDefault();
    taken = event.clipboardData !== null;
  };
  document.addEventListener("copy", onCopy, { once: true, capture: true });
  document.execCommand("copy");
  document.removeEventListener("copy", onCopy, { capture: true });
  if (!taken) throw new Error("The browser does not allow copying here");
}
