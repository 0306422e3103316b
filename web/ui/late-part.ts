/** Code that a page gets along without until somebody opens what it draws. */
export type LatePart<Part> = {
  /** Undefined until it has arrived. */
  readonly here: Part | undefined;
  /** Fetches it, once. Throws PartMissingError; what fails now is fetched again when it is asked for again. */
  load: () => Promise<Part>;
};

/** Code that did not arrive: the server is away, or it has a newer version and this code no more. */
export class PartMissingError extends Error {
  override name = "PartMissingError";
  constructor(options?: ErrorOptions) {
    super("A part of Porchlight did not arrive from the server.", options);
  }
}

const parts = new Set<LatePart<unknown>>();
const watchers = new Set<() => void>();

export function latePart<Part>(fetchPart: () => Promise<Part>): LatePart<Part> {
  let arrived: Part | undefined;
  let underWay: Promise<Part> | undefined;
  const part: LatePart<Part> = {
    get here() {
      return arrived;
    },
    load() {
      underWay ??= fetchPart().then(
        (fetched) => (arrived = fetched),
        (cause: unknown) => {
          underWay = undefined;
          for (const watch of watchers) watch();
          throw new PartMissingError({ cause });
        },
      );
      return underWay;
    },
  };
  parts.add(part);
  return part;
}

/**
 * Fetches everything that is still to come, one after the other: an outage must not take dialogs away. Parts that
 * arrive may bring further ones, and a set that grows while it is walked is walked to its end.
 */
export async function fetchLateParts(): Promise<void> {
  for (const part of parts) await part.load();
}

/** Hears of every part that did not arrive. */
export function whenPartMissing(watch: () => void): () => void {
  watchers.add(watch);
  return () => void watchers.delete(watch);
}
