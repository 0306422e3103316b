import type { AudienceMember } from "#contract/calls/notifications.ts";

type File = { id: number; name: string };

/** Everyone in the file. */
export const everyoneIn = ({ id, name }: File): AudienceMember => ({ type: "file", id, name });

/** The recipients once the message has another file, or none: everyone in the file before is everyone in the new one. */
export function withFile(recipients: readonly AudienceMember[], file: File | null): AudienceMember[] {
  return recipients.flatMap((one) => (one.type !== "file" ? [one] : file ? [everyoneIn(file)] : []));
}
