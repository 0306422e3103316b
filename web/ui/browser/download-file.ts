/** Saves a file that is in memory, as if it were downloaded. */
export function downloadFile(name: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it after this task; a minute is enough for any size.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Saves CSV text, with the byte order mark by which Excel recognizes UTF-8. */
export function downloadCsv(name: string, file: Blob | string): void {
  downloadFile(name, new Blob(["\ufeff", file], { type: "text/csv;charset=utf-8" }));
}
