import { use, type ComponentType, type FunctionComponent } from "react";
import { lazyPart } from "#web/ui/browser/lazy-part.ts";

/**
 * A component whose code is loaded when it is first shown, inside a Suspense. Once it has loaded, it shows without the
 * fallback. Throws PartMissingError if it can't be loaded.
 */
export function lazyComponent<Props extends object>(
  importModule: () => Promise<{ default: ComponentType<Props> }>,
): FunctionComponent<Props> {
  const part = lazyPart(async () => (await importModule()).default);
  return function LazyComponent(props: Props) {
    if (!part.loaded) use(part.load());
    return part.loaded && <part.loaded {...props} />;
  };
}
