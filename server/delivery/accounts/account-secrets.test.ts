import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { SecretBox, UnreadableSecretError } from "#server/db/secret-box.ts";
import { secretKeysOf } from "#server/secret-keys.ts";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";
import { openSecrets, rotateSecrets, sealSecrets } from "./account-secrets.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const key = () => randomBytes(32);

test("a secret opens only with its key, at its account and field, and unaltered", () => {
  const [one, other] = [key(), key()];
  const box = new SecretBox([one]);
  const { apiKey } = sealSecrets(box, 7, { apiKey: "SG.secret" });
  expect(apiKey).not.toContain("SG.secret");
  expect(openSecrets(box, 7, { apiKey: apiKey! })).toEqual({ apiKey: "SG.secret" });
  expect(sealSecrets(box, 7, { apiKey: "SG.secret" })["apiKey"]).not.toBe(apiKey);

  // In the middle: the last letter of base64 has bits that mean nothing.
  const altered = apiKey!.slice(0, 30) + (apiKey![30] === "A" ? "B" : "A") + apiKey!.slice(31);
  for (const open of [
    () => openSecrets(new SecretBox([other]), 7, { apiKey: apiKey! }),
    () => openSecrets(box, 8, { apiKey: apiKey! }),
    () => openSecrets(box, 7, { authToken: apiKey! }),
    () => openSecrets(box, 7, { apiKey: altered }),
    () => openSecrets(box, 7, { apiKey: apiKey!.slice(0, 30) }),
    () => openSecrets(box, 7, { apiKey: "" }),
  ]) {
    expect(open).toThrow(UnreadableSecretError);
  }
});

test("rotation: a new key before the old one seals everything again, and the old one can go", async () => {
  const { db } = database;
  const [old, renewed, lost] = [key(), key(), key()];
  const account = async (box: SecretBox) => {
    const { rows } = await sql<{ id: number }>`
      INSERT INTO accounts (channel, kind, name, source, enabled) VALUES ('email', 'sendgrid', 'a', 'console', false)
      RETURNING id`.execute(db);
    const { id } = rows[0]!;
    const secrets = JSON.stringify(sealSecrets(box, id, { apiKey: `key of ${id}` }));
    await sql`UPDATE accounts SET secrets = ${secrets}::jsonb WHERE id = ${id}`.execute(db);
    return id;
  };
  const stored = async (id: number) => {
    const { rows } = await sql<{ secrets: Record<string, string> }>`
      SELECT secrets FROM accounts WHERE id = ${id}`.execute(db);
    return rows[0]!.secrets;
  };
  const [one, two, gone] = [
    await account(new SecretBox([old])),
    await account(new SecretBox([old])),
    await account(new SecretBox([lost])),
  ];
  const unreadable = await stored(gone);

  await rotateSecrets(db, new SecretBox([renewed, old]));
  expect(await rotateSecrets(db, new SecretBox([renewed, old]))).toBe(1);
  for (const id of [one, two]) {
    expect(openSecrets(new SecretBox([renewed]), id, await stored(id))).toEqual({ apiKey: `key of ${id}` });
  }
  expect(await stored(gone)).toEqual(unreadable);
});

test("the key file is made once, for its owner alone, and read again", async () => {
  const folder = await mkdtemp(join(tmpdir(), "porchlight-key-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const data = join(folder, "data");
  const [first, second] = await Promise.all([secretKeysOf(data), secretKeysOf(data)]);
  expect(first).toHaveLength(1);
  expect(first).toEqual(second);
  const path = join(data, "secret.key");
  expect((await stat(path)).mode & 0o777).toBe(0o600);

  const renewed = key();
  await writeFile(path, `${renewed.toString("base64")}\n${await readFile(path, "utf8")}`);
  expect(await secretKeysOf(data)).toEqual([renewed, first[0]]);

  await chmod(path, 0o644);
  await expect(secretKeysOf(data)).rejects.toThrow("chmod 600");
  await chmod(path, 0o600);
  await writeFile(path, "not a key");
  await expect(secretKeysOf(data)).rejects.toThrow("must be 32 bytes in base64");
});
