/** Downloads a CSV file, with the byte order mark by which Excel recognizes UTF-8. */
export function downloadCsv(name: string, file: Blob | string): void {
  const url = URL.createObjectURL(new Blob(["\ufeff", file], { type: "text/csv;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser reads it after this task; a minute is enough for any size.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
