import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { sql } from "kysely";
import type { Db } from "#server/db/database.ts";
import { isForwarded } from "#server/http/forwarded.ts";
import { codePart } from "#server/http/tokens.ts";

/**
 * The first account becomes the administrator. On this computer nothing more is needed. From any other computer, or
 * through a proxy, it also takes the code that the server printed when it started.
 */

const KEY = "setupCode";

export async function hasAccounts(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom("users")
    .select("id")
    .where("password_hash", "is not", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** This system's code, created once and shared by all its processes; null once an account exists. */
export async function setupCode(db: Db): Promise<string | null> {
  if (await hasAccounts(db)) return null;
  const made = `${codePart()}-${codePart()}`;
  await sql`INSERT INTO settings (key, value, data_type) VALUES (${KEY}, ${made}, 'string')
            ON CONFLICT (key) DO NOTHING`.execute(db);
  const row = await db.selectFrom("settings").select("value").where("key", "=", KEY).executeTakeFirst();
  return row?.value ?? null;
}

export async function forgetSetupCode(db: Db): Promise<void> {
  await db.deleteFrom("settings").where("key", "=", KEY).execute();
}

export function codeFits(expected: string | null, given: string | undefined): boolean {
  if (!expected || !given) return false;
  const plain = (code: string) =>
    Buffer.from(
      code
        .toUpperCase()
        .replaceAll(/[^A-Z0-9]/g, "")
        .padEnd(32)
        .slice(0, 32),
    );
  return timingSafeEqual(plain(expected), plain(given));
}

const loopback = /^(127(\.\d{1,3}){3}|::1|::ffff:127(\.\d{1,3}){3})$/;
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

export type Front = { publicUrl: URL; trustProxy: number | false };

/**
 * Whether a request's browser runs on this computer: the connection comes from here, was not forwarded by a proxy, and
 * names this computer, which a page of another site with DNS rebinding cannot do. If a proxy is known to be in front,
 * the answer is always no: what it forwards comes from here too, and it need not say so.
 */
export function fromThisComputer({ publicUrl, trustProxy }: Front): (request: FastifyRequest) => boolean {
  const fronted = trustProxy !== false || !loopbackHost.test(publicUrl.host);
  return (request) =>
    !fronted &&
    !isForwarded(request) &&
    loopback.test(request.socket.remoteAddress ?? "") &&
    loopbackHost.test(request.headers.host ?? "");
}
