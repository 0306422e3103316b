import { type Archived, isDiscarded, monthText } from "#contract/calls/archive.ts";

/** Why a report has no people, and where they are. */
export function archiveSentence(archive: Archived, full: (at: Date) => string): string {
  const { month, at, sha256 } = archive;
  const what = `Who got it, and every attempt, is no longer in this console: the delivery details of ${monthText(month)}`;
  if (at === null) return `${what} are being archived.`;
  const when = full(new Date(at));
  return isDiscarded(archive)
    ? `${what} were archived on ${when}, and have since been discarded. They can't be restored.`
    : `${what} were archived on ${when}. They are in the archive ${month}, whose manifest has the SHA-256 ${sha256}.`;
}
