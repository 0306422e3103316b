import { type Archived, monthText } from "#contract/archive.ts";

/** Why a report has no people, and where they are. */
export function archiveSentence({ month, at, sha256 }: Archived, full: (at: Date) => string): string {
  const what = `Who got it, and every attempt, is no longer in this console: the delivery details of ${monthText(month)}`;
  return at === null
    ? `${what} are being archived.`
    : `${what} were archived on ${full(new Date(at))}. They are in the archive ${month}, whose manifest has the SHA-256 ${sha256}.`;
}
