export type RejectedFile = { file: File; reason: "type" | "size" };

export type FileRules = {
  /** MIME type → endings: { "image/png": [".png"] }. One of the two is enough: not every system knows both. */
  accept: Record<string, string[]>;
  /** In bytes. */
  maxSize: number;
  multiple?: boolean | undefined;
};

/** Parts files into those that may be used and those that may not, and why. Contents are the server's to check. */
export function sortFiles(files: readonly File[], { accept, maxSize, multiple }: FileRules) {
  const taken: File[] = [];
  const rejected: RejectedFile[] = [];
  for (const file of multiple ? files : files.slice(0, 1)) {
    if (!isOneOf(file, accept)) rejected.push({ file, reason: "type" });
    else if (file.size > maxSize) rejected.push({ file, reason: "size" });
    else taken.push(file);
  }
  return { taken, rejected };
}

function isOneOf(file: File, accept: FileRules["accept"]): boolean {
  const name = file.name.toLowerCase();
  return (
    file.type in accept ||
    Object.values(accept).some((endings) => endings.some((ending) => name.endsWith(ending)))
  );
}

/** What a file input's `accept` says. */
export function acceptAttribute(accept: FileRules["accept"]): string {
  return Object.entries(accept)
    .flatMap(([type, endings]) => [type, ...endings])
    .join(",");
}
