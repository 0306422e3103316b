/** Code that is loaded when it is first needed, or earlier. */
export type LazyPart<Part> = {
  /** Undefined until it has loaded. */
  readonly loaded: Part | undefined;
  /** Loads it once. Throws PartMissingError, after which the next call tries again. */
  load: () => Promise<Part>;
};

/** The code could not be loaded: the server is down, or has a newer version without this file. */
export class PartMissingError extends Error {
  override name = "PartMissingError";
  constructor(options?: ErrorOptions) {
    super("We couldn’t load part of Porchlight.", options);
  }
}

const parts = new Set<LazyPart<unknown>>();
const watchers = new Set<() => void>();

export function lazyPart<Part>(importPart: () => Promise<Part>): LazyPart<Part> {
  let loaded: Part | undefined;
  let loading: Promise<Part> | undefined;
  const part: LazyPart<Part> = {
    get loaded() {
      return loaded;
    },
    load() {
      loading ??= importPart().then(
        (part) => (loaded = part),
        (cause: unknown) => {
          loading = undefined;
          for (const watch of watchers) watch();
          throw new PartMissingError({ cause });
        },
      );
      return loading;
    },
  };
  parts.add(part);
  return part;
}

/**
 * Loads all remaining parts one after the other, so that every screen and dialog works during an outage. Each waits until
 * the browser has nothing else to do. Loading a part may register more of them. Iterating over a Set includes items added
 * meanwhile.
 */
export async function loadLazyParts(): Promise<void> {
  for (const part of parts) {
    if (part.loaded) continue;
    await idle();
    await part.load();
  }
}

/** A hidden tab is never idle, so it waits no longer than this. */
const IDLE_MS = 500;

function idle(): Promise<void> {
  return new Promise((resolve) => {
    // Safari has no requestIdleCallback.
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => resolve(), { timeout: IDLE_MS });
    else setTimeout(resolve, 50);
  });
}

/** Calls `watch` for every part that could not be loaded. Returns a function that stops it. */
export function whenPartMissing(watch: () => void): () => void {
  watchers.add(watch);
  return () => void watchers.delete(watch);
}
