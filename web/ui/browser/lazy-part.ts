/** Code that is loaded and run when it is first needed, or earlier. */
type LazyPart<Part> = {
  /** Undefined until it has loaded. */
  readonly loaded: Part | undefined;
  /** Loads it once. Throws PartMissingError, after which the next call tries again. */
  load: () => Promise<Part>;
};

/** The code could not be loaded: the server is down, or has a newer version without this file. */
export class PartMissingError extends Error {
  override name = "PartMissingError";
  /** Tries again. */
  readonly load: () => Promise<unknown>;
  constructor(load: () => Promise<unknown>, options?: ErrorOptions) {
    super("We couldn't load part of Porchlight.", options);
    this.load = load;
  }
}

const watchers = new Set<() => void>();

export function lazyPart<Part>(importPart: () => Promise<Part>): LazyPart<Part> {
  let loaded: Part | undefined;
  let loading: Promise<Part> | undefined;
  const load = () => {
    loading ??= importPart().then(
      (part) => (loaded = part),
      (cause: unknown) => {
        loading = undefined;
        for (const watch of watchers) watch();
        throw new PartMissingError(load, { cause });
      },
    );
    return loading;
  };
  return {
    get loaded() {
      return loaded;
    },
    load,
  };
}

/** Calls `watch` for every part that could not be loaded. Returns a function that stops it. */
export function whenPartMissing(watch: () => void): () => void {
  watchers.add(watch);
  return () => void watchers.delete(watch);
}
