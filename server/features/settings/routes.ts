import { api } from "#contract/api.ts";
import { AppError, fieldError } from "#contract/errors.ts";
import { LOGO_MAX, settingTable } from "#contract/settings.ts";
import { type Db, transaction } from "#server/db/database.ts";
import { recordAudit } from "#server/db/audit.ts";
import { readSetting, writeSetting } from "#server/features/settings/queries.ts";
import { on, type Route } from "#server/http/route.ts";
import { fileTypeFromBuffer } from "file-type";

export function settingsRoutes({ db }: { db: Db }): Route[] {
  return [
    on(api.settings.value, async ({ params: { key }, user }) => {
      if (settingTable[key].read === "staff" && user.role === "tenant") {
        throw new AppError("forbidden", "Your role does not allow this. Ask an administrator.");
      }
      return { key, value: await readSetting(db, key) };
    }),

    on(api.settings.save, async ({ body: { key, value }, user, ip }) => {
      const parsed = settingTable[key].schema.safeParse(value);
      if (!parsed.success) {
        const sentence = parsed.error.issues[0]?.message ?? "This value does not fit";
        throw fieldError("invalid-input", "value", sentence);
      }
      if (key === "companyLogo") await checkLogo(parsed.data);
      await transaction(db, async (tx) => {
        await writeSetting(tx, key, parsed.data, user.id);
        await recordAudit(tx, {
          actor: user,
          ip,
          action: "setting.save",
          subject: { type: "setting" },
          detail: { key },
        });
      });
      return { key, value: parsed.data };
    }),
  ];
}

/** The data URL's own claim is not enough: its bytes must be what it says. */
async function checkLogo(value: string): Promise<void> {
  if (value === "") return;
  const refuse = (sentence: string) => {
    throw fieldError("unsupported-file", "value", sentence);
  };
  const bytes = Buffer.from(value.slice(value.indexOf(",") + 1), "base64");
  if (bytes.length > LOGO_MAX) refuse("Please upload an image smaller than 2MB.");
  const found = await fileTypeFromBuffer(bytes);
  if (!found || !value.startsWith(`data:${found.mime};`)) refuse("Please upload a JPG or PNG image.");
}
