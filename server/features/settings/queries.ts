import { type SettingKey, settingKeys, type Settings, settingTable } from "#contract/calls/settings.ts";
import type { Db } from "#server/db/database.ts";

/** A value as the contract types it, from stored text or a caller's. */
export function fromText(key: SettingKey, text: string): unknown {
  switch (settingTable[key].dataType) {
    case "number":
      return text.trim() === "" ? text : Number(text);
    case "boolean":
      return text === "true" || (text === "false" ? false : text);
    default:
      return text;
  }
}

/** The stored value, or the default if nothing valid is stored. */
function read<Key extends SettingKey>(key: Key, text: string | undefined): Settings[Key] {
  const { schema, default: fallback } = settingTable[key];
  const stored = text === undefined ? undefined : schema.safeParse(fromText(key, text));
  return (stored?.success ? stored.data : fallback) as Settings[Key];
}

/** All settings except the logo, with the default where nothing is stored. */
export async function readSettings(db: Db): Promise<Omit<Settings, "companyLogo">> {
  const rows = await db
    .selectFrom("settings")
    .select(["key", "value"])
    .where("key", "<>", "companyLogo")
    .execute();
  const stored = new Map(rows.map((row) => [row.key, row.value]));
  const { companyLogo: _, ...settings } = Object.fromEntries(
    settingKeys.map((key) => [key, read(key, stored.get(key))]),
  ) as Settings;
  return settings;
}

export async function readSetting<Key extends SettingKey>(db: Db, key: Key): Promise<Settings[Key]> {
  const row = await db.selectFrom("settings").select("value").where("key", "=", key).executeTakeFirst();
  return read(key, row?.value);
}

/** Stores settings that the contract has parsed. */
export async function writeSettings(db: Db, values: Partial<Settings>, userId: number): Promise<void> {
  const rows = settingKeys.flatMap((key) => {
    const value = values[key];
    if (value === undefined) return [];
    return [{ key, value: String(value), data_type: settingTable[key].dataType, updated_by: userId }];
  });
  if (rows.length === 0) return;
  await db
    .insertInto("settings")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet((now) => ({
        value: now.ref("excluded.value"),
        data_type: now.ref("excluded.data_type"),
        updated_by: now.ref("excluded.updated_by"),
        updated_at: new Date(),
      })),
    )
    .execute();
}
