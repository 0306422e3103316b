import { expect, test, vi } from "vitest";
import { PartMissingError, lazyPart, whenPartMissing } from "#web/ui/browser/lazy-part.ts";

test("loads a part once, and again only after a failure", async () => {
  const importPart = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new TypeError("no network"));
  importPart.mockResolvedValue("the dialog");
  const missing = vi.fn<() => void>();
  const stop = whenPartMissing(missing);
  const part = lazyPart(importPart);
  const [first, second] = [part.load(), part.load()];
  await expect(first).rejects.toBeInstanceOf(PartMissingError);
  await expect(second).rejects.toBeInstanceOf(PartMissingError);
  expect(missing).toHaveBeenCalledOnce();
  expect(part.loaded).toBeUndefined();

  const { load } = (await first.catch((error: unknown) => error)) as PartMissingError;
  await expect(load()).resolves.toBe("the dialog");
  expect(part.loaded).toBe("the dialog");
  await part.load();
  expect(importPart).toHaveBeenCalledTimes(2);
  stop();
});
