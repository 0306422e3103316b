import type { Db } from "#server/db/database.ts";
import { readSettings } from "#server/features/settings/queries.ts";
import type { Organisation } from "#server/delivery/start-run.ts";

/** What the settings say about the sender when a run starts. */
export async function readOrganisation(db: Db): Promise<Organisation> {
  const settings = await readSettings(db);
  return {
    timeZone: settings.timezone,
    sender: {
      siteName: settings.siteName,
      ...(settings.siteEmail !== "" && { replyTo: settings.siteEmail }),
      smsPrefix: "",
      emailSignature: "",
      emailFooter: "",
    },
  };
}
