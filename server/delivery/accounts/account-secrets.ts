import { sql } from "kysely";
import { type Db, transaction } from "#server/db/database.ts";
import type { SecretBox } from "#server/db/secret-box.ts";

/** Each secret setting's ciphertext, by the setting's name: what `accounts.secrets` holds. */
export type SealedSecrets = Readonly<Record<string, string>>;

const placeOf = (accountId: number, setting: string) => `account ${accountId} ${setting}`;

export function sealSecrets(
  box: SecretBox,
  accountId: number,
  values: Readonly<Record<string, string>>,
): SealedSecrets {
  return mapValues(values, (text, setting) => box.seal(text, placeOf(accountId, setting)));
}

/** @throws {UnreadableSecretError} where the key is gone or the row was altered */
export function openSecrets(
  box: SecretBox,
  accountId: number,
  sealed: SealedSecrets,
): Record<string, string> {
  return mapValues(sealed, (text, setting) => box.open(text, placeOf(accountId, setting)));
}

/**
 * Encrypts with the current key what an earlier one had sealed, so that the earlier one can be thrown away. What no
 * key here opens is left as it is.
 *
 * @returns how many accounts were written again
 */
export function rotateSecrets(db: Db, box: SecretBox): Promise<number> {
  return transaction(db, async (tx) => {
    const { rows } = await sql<{ id: number; secrets: SealedSecrets }>`
      SELECT id, secrets FROM accounts WHERE secrets <> '{}' ORDER BY id FOR UPDATE`.execute(tx);
    let rotated = 0;
    for (const { id, secrets } of rows) {
      if (Object.values(secrets).every((sealed) => box.isCurrent(sealed))) continue;
      const renewed = mapValues(secrets, (sealed, setting) => box.renew(sealed, placeOf(id, setting)));
      await sql`UPDATE accounts SET secrets = ${JSON.stringify(renewed)}::jsonb WHERE id = ${id}`.execute(tx);
      rotated += 1;
    }
    return rotated;
  });
}

function mapValues(
  values: Readonly<Record<string, string>>,
  change: (value: string, name: string) => string,
): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}
