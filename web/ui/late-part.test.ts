import { expect, test, vi } from "vitest";
import { PartMissingError, fetchLateParts, latePart, whenPartMissing } from "#web/ui/late-part.ts";

test("a part is fetched once, and again only after it did not arrive", async () => {
  const fetchPart = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new TypeError("no network"));
  fetchPart.mockResolvedValue("the dialog");
  const missing = vi.fn<() => void>();
  const stop = whenPartMissing(missing);
  const part = latePart(fetchPart);
  const [first, second] = [part.load(), part.load()];
  await expect(first).rejects.toBeInstanceOf(PartMissingError);
  await expect(second).rejects.toBeInstanceOf(PartMissingError);
  expect(missing).toHaveBeenCalledOnce();
  expect(part.here).toBeUndefined();

  await expect(part.load()).resolves.toBe("the dialog");
  expect(part.here).toBe("the dialog");
  await part.load();
  expect(fetchPart).toHaveBeenCalledTimes(2);
  stop();
});

test("everything late is fetched, also what only a late part brings along", async () => {
  const dialog = vi.fn<() => Promise<string>>(() => Promise.resolve("a dialog of the screen"));
  latePart(() => {
    latePart(dialog);
    return Promise.resolve("a screen");
  });
  await fetchLateParts();
  expect(dialog).toHaveBeenCalledOnce();
});
