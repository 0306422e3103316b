import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "@playwright/test";
import { themes, type Photo, type Size, type Theme } from "./camera.ts";

type Job = { browser: Browser; folder: string; photos: Photo[] };

/** So many shots fit one PNG that is still easy to look at. */
const SHOTS_PER_SHEET = 4;

/** index.html with all photos as thumbnails, and for each screen PNGs with all of its photos. */
export async function writeSheets({ browser, folder, photos }: Job): Promise<void> {
  const screens = Map.groupBy(photos, ({ name }) => name.split("/")[0] ?? name);
  await writeFile(join(folder, "index.html"), page(photos));
  const tab = await browser.newPage({ viewport: { width: 1800, height: 1000 } });
  for (const [screen, own] of screens) {
    const shots = [...Map.groupBy(own, ({ name }) => name).values()];
    for (let from = 0; from < shots.length; from += SHOTS_PER_SHEET) {
      const path = join(folder, `sheet-${screen}-${1 + from / SHOTS_PER_SHEET}`);
      await writeFile(`${path}.html`, page(shots.slice(from, from + SHOTS_PER_SHEET).flat()));
      await tab.goto(pathToFileURL(`${path}.html`).href);
      await tab.screenshot({ path: `${path}.png`, fullPage: true });
      await rm(`${path}.html`);
    }
  }
  await tab.close();
}

const columns = themes.flatMap((theme): [Size, Theme][] => [
  ["desktop", theme],
  ["phone", theme],
]);

function page(photos: Photo[]): string {
  const rows = [...Map.groupBy(photos, ({ name }) => name)].map(([name, own]) => {
    const problem = own.find((photo) => photo.problem)?.problem;
    const cells = columns.map(([size, theme]) => {
      const photo = own.find((one) => one.size === size && one.theme === theme);
      const image =
        photo && `<a href="${photo.file}"><img src="${photo.file}" alt="${name}, ${size}, ${theme}"></a>`;
      return `<td class="${size}">${image ?? ""}</td>`;
    });
    const note = problem ? ` <strong>${problem.replaceAll("<", "&lt;")}</strong>` : "";
    return `<tbody><tr><th colspan="4">${name}${note}</th></tr><tr>${cells.join("")}</tr></tbody>`;
  });
  return `<!doctype html><meta charset="utf-8"><title>Photos</title><style>
body { margin: 16px; background: #888; font: 16px system-ui, sans-serif; }
table { border-spacing: 12px 4px; }
th { text-align: left; color: #fff; padding-top: 16px; }
strong { color: #ffd5d0; }
td { vertical-align: top; }
img { max-height: 520px; object-fit: cover; object-position: top; }
.desktop img { width: 620px; }
.phone img { width: 230px; }
</style><table>${rows.join("\n")}</table>`;
}
