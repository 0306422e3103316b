import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import pLimit from "p-limit";
import type { Db } from "#server/db/database.ts";
import { hashWithSalt } from "#server/features/auth/password.ts";
import { countRecoveryCodes } from "#server/features/auth/throttle.ts";
import { codePart } from "#server/http/tokens.ts";

/** Codes for a lost phone. Each works once; only hashes are stored, as slow to try as a password's. */

const CODES = 10;

// One hash at a time for everyone together: sign-ins wait in the same queue.
const oneByOne = pLimit(1);

type MadeCodes = { codes: string[]; salt: Buffer; hashes: Buffer[] };

/** Makes ten codes, like ABCDE-FGHJK. Slow: call it outside a transaction. Throws too-many-requests and unavailable. */
export async function makeRecoveryCodes(db: Db, userId: number): Promise<MadeCodes> {
  await countRecoveryCodes(db, userId);
  const salt = randomBytes(16);
  const plain = Array.from({ length: CODES }, () => codePart() + codePart());
  const hashes = await Promise.all(plain.map((code) => oneByOne(() => hashWithSalt(code, salt))));
  return { codes: plain.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`), salt, hashes };
}

/** Gives a person these codes in place of any they had. */
export async function storeRecoveryCodes(tx: Db, userId: number, { salt, hashes }: MadeCodes): Promise<void> {
  await sql`DELETE FROM recovery_codes WHERE user_id = ${userId}`.execute(tx);
  await sql`INSERT INTO recovery_codes (user_id, code_hash, salt)
    SELECT ${userId}, hash, ${salt} FROM unnest(${hashes}::bytea[]) AS hash`.execute(tx);
}

export async function recoveryCodesLeft(db: Db, userId: number): Promise<number> {
  const found = await sql<{ left: number }>`
    SELECT count(*) AS left FROM recovery_codes WHERE user_id = ${userId} AND used_at IS NULL`.execute(db);
  return found.rows[0]?.left ?? 0;
}

/** A code, written without its hyphen, as it is stored; null if the person has none. Slow, as `makeRecoveryCodes` is. */
export async function hashRecoveryCode(db: Db, userId: number, code: string): Promise<Buffer | null> {
  const found = await sql<{ salt: Buffer }>`
    SELECT salt FROM recovery_codes WHERE user_id = ${userId} LIMIT 1`.execute(db);
  const [row] = found.rows;
  return row ? hashWithSalt(code, row.salt) : null;
}

/** Uses up the code with this hash. Wrong: it is none of theirs, or was used before. */
export async function useRecoveryCode(
  tx: Db,
  userId: number,
  hash: Buffer | null,
): Promise<"right" | "wrong"> {
  const used = await sql`UPDATE recovery_codes SET used_at = now()
    WHERE user_id = ${userId} AND code_hash = ${hash} AND used_at IS NULL`.execute(tx);
  return used.numAffectedRows === 1n ? "right" : "wrong";
}
