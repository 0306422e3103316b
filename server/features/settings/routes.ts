import { api } from "#contract/api.ts";
import { channels, linkChannels } from "#contract/delivery.ts";
import { channelSwitch, type SettingKey, type Settings, settingTable } from "#contract/calls/settings.ts";
import { zoned } from "#contract/recurrence.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { holdUntilCommit } from "#server/db/advisory-locks.ts";
import { changesBetween, recordAudit } from "#server/db/audit.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { notifyPages } from "#server/delivery/hints.ts";
import { isPublic } from "#server/delivery/receipts/tracking-address.ts";
import { checkNextRuns } from "#server/delivery/schedules/check-next-runs.ts";
import { checkLogo, keepLogo } from "#server/features/settings/logo.ts";
import { readOrganization } from "#server/features/settings/organization.ts";
import { sampleLetter } from "#server/features/settings/sample-letter.ts";
import { fromText, readSetting, readSettings, writeSettings } from "#server/features/settings/queries.ts";
import { authorize, refuseUnconfirmed } from "#server/http/authorize.ts";
import { on, type Route, type SessionBy } from "#server/http/route.ts";

type SettingsDeps = {
  db: Db;
  publicUrl: URL;
  now: () => Date;
  /** Called after they have changed. */
  onSaved: () => Promise<void>;
};

export function settingsRoutes({ db, publicUrl, now, onSaved }: SettingsDeps): Route[] {
  const list = async () => ({
    ...(await readSettings(db)),
    publicAddress: isPublic(publicUrl),
    timeZoneData: process.versions.tz ?? "unknown",
  });
  const one = async (key: SettingKey) => ({
    key,
    value: await readSetting(db, key),
    dataType: settingTable[key].dataType,
  });

  return [
    on(api.settings.list, list),

    on(api.settings.saveAll, async ({ body: { before, ...values }, by }) => {
      if (values.companyLogo !== undefined) await checkLogo(values.companyLogo, "companyLogo");
      await saveSettings(db, values, by, before);
      await onSaved();
      return list();
    }),

    on(api.settings.letter, async ({ query: { logo } }) => {
      const { sender, timeZone } = await readOrganization(db);
      const today = zoned(timeZone, now()).toPlainDate();
      return sampleLetter(sender, { today, withLogo: logo === "true" });
    }),

    on(api.settings.value, async ({ params: { key }, by }) => {
      authorize(settingTable[key].read, by.session);
      return one(key);
    }),

    on(api.settings.save, async ({ body: { key, value }, by }) => {
      const parsed = settingTable[key].schema.safeParse(
        typeof value === "string" ? fromText(key, value) : value,
      );
      if (!parsed.success) {
        const sentence = parsed.error.issues[0]?.message;
        throw sentence === undefined
          ? refusal("value-not-valid", {}, { field: "value" })
          : refusal("setting-not-valid", { sentence });
      }
      if (key === "companyLogo") await checkLogo(String(parsed.data), "value");
      await saveSettings(db, { [key]: parsed.data }, by);
      await onSaved();
      return one(key);
    }),
  ];
}

/** Weaker ones would let someone in, or discard what was sent: a change takes the password again. */
const securityKeys = [
  "deliveryMonths",
  "registration",
  "passwordMinLength",
  "passwordExpiry",
  "requireSpecialChars",
  "enableTwoFactor",
  "sessionTimeout",
  // Everyone's mail comes from it, and notices of a change go by these.
  "siteEmail",
  ...linkChannels.map((channel) => channelSwitch[channel]),
] as const satisfies SettingKey[];

type Listed = Omit<Settings, "companyLogo">;

/** Someone else's change meanwhile is replaced only by someone who has seen it. Throws conflict at the settings. */
function refuseChanged(now: Listed, { begun, values }: Record<"begun" | "values", Partial<Settings>>): void {
  const changed = (Object.keys(begun) as (keyof Listed)[]).filter(
    (key) => now[key] !== begun[key] && now[key] !== values[key],
  );
  if (changed.length === 0) return;
  throw refusal("settings-changed", { changed: Object.fromEntries(changed.map((key) => [key, now[key]])) });
}

/** Stores them together and records each previous value. Throws conflict where one is not as it was `begun` anymore. */
async function saveSettings(
  db: Db,
  values: Partial<Settings>,
  by: SessionBy,
  begun: Partial<Settings> = {},
): Promise<void> {
  if (securityKeys.some((key) => values[key] !== undefined)) refuseUnconfirmed(by.session);
  await transaction(db, async (tx) => {
    // Of two at once, the second records what the first stored as the previous value.
    await holdUntilCommit(tx, "settings");
    const before = await readSettings(tx);
    refuseChanged(before, { begun, values });
    const { companyLogo } = values;
    // An image that is sent again changes nothing.
    const logo = companyLogo === (await readSetting(tx, "companyLogo")) ? undefined : companyLogo;
    await writeSettings(tx, values, by.user.id);
    if (logo !== undefined) await keepLogo(tx, logo);
    await recordAudit(tx, {
      by,
      action: "setting.save",
      subject: { type: "setting" },
      detail: {
        changes: changesBetween(before, await readSettings(tx)),
        // Megabytes of image data do not belong in the audit log.
        ...(logo !== undefined && { companyLogo: logo === "" ? "removed" : "replaced" }),
      },
    });
    await notifyPages(tx, { type: "settings" });
  });
  // Schedules that use a channel say whether it is on.
  if (channels.some((channel) => channelSwitch[channel] in values)) await checkNextRuns(db);
}
