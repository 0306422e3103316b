import type { FastifyInstance } from "fastify";
import { sql } from "kysely";
import { LOGO_MAX } from "#contract/calls/settings.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import { logoPath } from "#server/delivery/content/email-shell.ts";

const bytesOf = (dataUrl: string) => Buffer.from(dataUrl.slice(dataUrl.indexOf(",") + 1), "base64");

/** What the data URL claims is not enough: its bytes must match it. Throws unsupported-file at `field`. */
export async function checkLogo(value: string, field: string): Promise<void> {
  if (value === "") return;
  const bytes = bytesOf(value);
  if (bytes.length > LOGO_MAX) throw refusal("logo-too-large", {}, { field });
  const { fileTypeFromBuffer } = await import("file-type");
  const found = await fileTypeFromBuffer(bytes);
  if (!found || !value.startsWith(`data:${found.mime};`)) throw refusal("logo-not-an-image", {}, { field });
}

/** Keeps a new logo for the emails that will show it; "" means that later emails show none. */
export async function keepLogo(tx: Db, value: string): Promise<void> {
  await sql`UPDATE logos SET current = false WHERE current`.execute(tx);
  if (value === "") return;
  await sql`
    INSERT INTO logos (hash, image, current)
    VALUES (left(encode(sha256(convert_to(${value}, 'UTF8')), 'hex'), 32), ${value}, true)
    ON CONFLICT (hash) DO UPDATE SET current = true`.execute(tx);
}

/** The hash by which emails name the current logo; null without a logo. */
export async function currentLogo(db: Db): Promise<string | null> {
  const { rows } = await sql<{ hash: string }>`SELECT hash FROM logos WHERE current`.execute(db);
  return rows[0]?.hash ?? null;
}

/** Serves logos to anyone who reads an email. An address never changes its image, so readers may keep it. */
export function logoImages(app: FastifyInstance, db: Db): void {
  // A run to everyone brings thousands of readers of one image.
  let latest: { hash: string; type: string; bytes: Buffer } | undefined;
  app.get<{ Params: { hash: string } }>(logoPath(":hash"), async ({ params: { hash } }, reply) => {
    if (latest?.hash !== hash) {
      const { rows } = await sql<{ image: string }>`SELECT image FROM logos WHERE hash = ${hash}`.execute(db);
      const image = rows[0]?.image;
      if (image === undefined) throw refusal("no-such-logo");
      latest = { hash, type: image.slice("data:".length, image.indexOf(";")), bytes: bytesOf(image) };
    }
    return (
      reply
        .type(latest.type)
        .header("Cache-Control", "public, max-age=31536000, immutable")
        // Mail programs on the web show it on pages of their own.
        .header("Cross-Origin-Resource-Policy", "cross-origin")
        .send(latest.bytes)
    );
  });
}
