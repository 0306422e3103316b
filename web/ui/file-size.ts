/** "1.20 MB"; "Unknown size" when no one knows. */
export function megabytes(bytes: number | undefined): string {
  return bytes === undefined || !Number.isFinite(bytes)
    ? "Unknown size"
    : `${(bytes / 1024 / 1024).toFixed(2)} MB`;
}
