import { createHmac, hash } from "node:crypto";
import type { CompiledContent, RecipientLinks } from "#server/delivery/content/compiled.ts";
import type { OutgoingMessage, RunContent } from "../transport.ts";
import { placeOf } from "../webhook.ts";

/** What names a run in the boundaries of its mails. */
export const runOf = ({ key }: CompiledContent) => hash("sha256", key, "hex").slice(0, 16);

/**
 * Without angle brackets. The same in every automatic attempt: a mail reader recognizes a copy by it. Only those who have
 * the mail know it, so a bounce that names it is about that mail.
 */
export function messageIdOf(
  message: Pick<OutgoingMessage, "deliveryId" | "round"> & { content: Pick<RunContent, "compiled"> },
  fromEmail: string,
): string {
  const mark = markOf(message.content.compiled.secret, placeOf(message));
  return `${mark}@${fromEmail.slice(fromEmail.lastIndexOf("@") + 1)}`;
}

/** What comes before the @: a delivery's place (`placeOf`), signed with its run's secret. */
export function markOf(secret: string, place: string): string {
  return `d${place}.${createHmac("sha256", secret).update(place).digest("hex").slice(0, 32)}`;
}

/** RFC 8058 wants https: a mail reader that offers one click over http would offer what fails. */
export function unsubscribeHeaders({ unsubscribe }: RecipientLinks): Record<string, string> {
  return {
    "List-Unsubscribe": `<${headerUrl(unsubscribe)}>`,
    ...(unsubscribe.startsWith("https:") && { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
  };
}

/** A URL of our own, certainly without characters that would end the header or the angle brackets. */
function headerUrl(url: string): string {
  return url.toWellFormed().replace(/[^\x21-\x3b\x3d\x3f-\x7e]/gu, encodeURIComponent);
}
