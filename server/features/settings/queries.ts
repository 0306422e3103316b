import { type SettingKey, settingKeys, settingTable } from "#contract/settings.ts";
import type { Db } from "#server/db/database.ts";

/** All settings as stored text, with the written default where nothing is stored. */
export async function readSettings(db: Db): Promise<Record<SettingKey, string>> {
  const rows = await db
    .selectFrom("settings")
    .select(["key", "value"])
    .where("key", "<>", "companyLogo")
    .execute();
  const stored = new Map(rows.map((row) => [row.key, row.value]));
  return Object.fromEntries(
    settingKeys.map((key) => [key, stored.get(key) ?? settingTable[key].default]),
  ) as Record<SettingKey, string>;
}

export async function readSetting(db: Db, key: SettingKey): Promise<string> {
  const row = await db.selectFrom("settings").select("value").where("key", "=", key).executeTakeFirst();
  return row?.value ?? settingTable[key].default;
}

export async function writeSetting(db: Db, key: SettingKey, value: string, userId: number): Promise<void> {
  const row = { value, data_type: settingTable[key].dataType, updated_by: userId };
  await db
    .insertInto("settings")
    .values({ key, ...row })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ ...row, updated_at: new Date() }))
    .execute();
}
