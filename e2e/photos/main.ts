import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { takePhotos, type Photo } from "./camera.ts";
import { onOwnSystem, say } from "./own-system.ts";
import { seed } from "./seed.ts";
import { writeSheets } from "./sheet.ts";
import { emptyShots, fullShots, type Shot } from "./shots.ts";

/**
 * `npm run photos` photographs every screen and dialog, on a desktop and a phone, in light and dark, and lays the
 * pictures out in dist/photos/index.html and one PNG per screen. axe checks each, and what it finds is printed.
 * `npm run photos -- templates users/person` takes only the photos whose names contain one of these.
 */

const folder = join(import.meta.dirname, "../../dist/photos");
const wanted = process.argv.slice(2);
const chosen = (shots: Shot[]) =>
  wanted.length === 0 ? shots : shots.filter(({ name }) => wanted.some((part) => name.includes(part)));

await onOwnSystem(async (system, browser) => {
  if (wanted.length === 0) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const photos: Photo[] = [];
  const take = async (shots: Shot[]) =>
    photos.push(...(await takePhotos({ browser, system, folder, shots: chosen(shots) })));
  await take(emptyShots);
  await take(fullShots(await seed(system)));
  await writeSheets({ browser, folder, photos });
  const failed = photos.filter(({ problem, theme }) => problem && theme === "light");
  for (const { name, size, problem } of failed) say(`${name} (${size}): ${problem}`);
  const inaccessible = photos.filter(({ violations }) => violations.length > 0);
  for (const { name, size, theme, violations } of inaccessible)
    say(`${name} (${size}, ${theme}): ${violations.join("\n  ")}`);
  say(`${photos.length} photos in ${folder}`);
  if (failed.length + inaccessible.length > 0) process.exitCode = 1;
});
