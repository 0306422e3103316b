/** "1.20 MB", or "Unknown size". */
export function megabytes(bytes: number | undefined): string {
  return bytes === undefined || !Number.isFinite(bytes)
    ? "Unknown size"
    : `${(bytes / 1024 / 1024).toFixed(2)} MB`;
}
