/** Hands a file to the browser's downloads. Letters beyond ASCII get the mark by which Excel knows UTF-8. */
export function downloadCsv(name: string, file: Blob | string, ascii: boolean): void {
  const url = URL.createObjectURL(
    new Blob(ascii ? [file] : ["\ufeff", file], { type: "text/csv;charset=utf-8" }),
  );
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it after this task; a minute is plenty for any size.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
