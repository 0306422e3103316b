/** An attachment's size as its recipient reads it, "592 bytes" as "1 KB". */
export function readableSize(bytes: number): string {
  return bytes < 1_000_000
    ? `${Math.max(1, Math.round(bytes / 1000))} KB`
    : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
