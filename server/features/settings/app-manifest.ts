import type { FastifyInstance } from "fastify";
import type { Db } from "#server/db/database.ts";
import { readSetting } from "#server/features/settings/queries.ts";

/**
 * What a phone needs to add the console to its home screen, under the site's name (web app manifest). iPhones and iPads
 * only show notifications of an app that was added.
 */
export function appManifest(app: FastifyInstance, db: Db): void {
  app.get("/manifest.webmanifest", async (_request, reply) => {
    const name = await readSetting(db, "siteName");
    const icon = (src: string, size: number, purpose: string) => ({
      src,
      sizes: `${size}x${size}`,
      type: "image/png",
      purpose,
    });
    return reply
      .type("application/manifest+json; charset=utf-8")
      .header("Cache-Control", "no-cache")
      .send(
        JSON.stringify({
          id: "/",
          name,
          short_name: name,
          start_url: "/",
          scope: "/",
          display: "standalone",
          // The page of the light theme, as in web/tokens.css.
          background_color: "#faf8f4",
          theme_color: "#faf8f4",
          icons: [
            icon("/push-icon.png", 192, "any"),
            icon("/app-icon.png", 512, "any"),
            icon("/app-icon.png", 512, "maskable"),
          ],
        }),
      );
  });
}
