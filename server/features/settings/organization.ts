import type { Db } from "#server/db/database.ts";
import { currentLogo } from "#server/features/settings/logo.ts";
import { readSettings } from "#server/features/settings/queries.ts";
import type { Organization } from "#server/delivery/runs/start-run.ts";

/** What the settings say about the sender when a run starts. */
export async function readOrganization(db: Db): Promise<Organization> {
  const [settings, logo] = await Promise.all([readSettings(db), currentLogo(db)]);
  return {
    timeZone: settings.timezone,
    sender: {
      siteName: settings.siteName,
      ...(settings.siteEmail !== "" && { replyTo: settings.siteEmail }),
      ...(logo !== null && { logo }),
      defaultSubject: settings.defaultEmailSubject,
      smsPrefix: settings.defaultSmsPrefix,
      emailSignature: settings.emailSignature,
      emailFooter: settings.emailFooter,
      postalAddress: settings.postalAddress,
      track: { opens: settings.trackOpens, clicks: settings.trackClicks },
    },
  };
}
