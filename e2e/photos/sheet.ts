import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "@playwright/test";
import { themes } from "./camera.ts";
import type { Photo, Size, Theme } from "./camera.ts";

type Job = { browser: Browser; folder: string; photos: Photo[] };

/** index.html with all photos as thumbnails, and for each screen a PNG with all of its photos. */
export async function writeSheets({ browser, folder, photos }: Job): Promise<void> {
  const screens = Map.groupBy(photos, ({ name }) => name.split("/")[0] ?? name);
  await writeFile(join(folder, "index.html"), page(photos));
  const tab = await browser.newPage({ viewport: { width: 2000, height: 1000 } });
  for (const [screen, own] of screens) {
    const path = join(folder, `sheet-${screen}.html`);
    await writeFile(path, page(own));
    await tab.goto(pathToFileURL(path).href);
    await tab.screenshot({ path: join(folder, `sheet-${screen}.png`), fullPage: true });
  }
  await tab.close();
}

const columns: [Size, Theme][] = [
  ...themes.map((theme): [Size, Theme] => ["desktop", theme]),
  ...themes.map((theme): [Size, Theme] => ["phone", theme]),
];

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
.desktop img { width: 680px; }
.phone img { width: 260px; }
</style><table>${rows.join("\n")}</table>`;
}
