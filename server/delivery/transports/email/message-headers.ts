import { createHmac, hash } from "node:crypto";
import type { CompiledContent, RecipientLinks } from "#server/delivery/content/compiled.ts";
import type { OutgoingMessage, RunContent } from "../transport.ts";
import { placeOf } from "../webhook.ts";

/** Identifies a run in MIME boundaries. */
export const runOf = ({ key }: CompiledContent) => hash("sha256", key, "hex").slice(0, 16);

/**
 * Without angle brackets. Every automatic attempt has the same one, so mail clients can spot a copy. Only those who have
 * the email know it, so a bounce with it can be trusted to be about that email.
 */
export function messageIdOf(
  message: Pick<OutgoingMessage, "deliveryId" | "round"> & { content: Pick<RunContent, "compiled"> },
  fromEmail: string,
): string {
  const mark = markOf(message.content.compiled.secret, placeOf(message));
  return `${mark}@${fromEmail.slice(fromEmail.lastIndexOf("@") + 1)}`;
}

/** The part before the @: the delivery and round (`placeOf`), signed with the run's secret. */
export function markOf(secret: string, place: string): string {
  return `d${place}.${createHmac("sha256", secret).update(place).digest("hex").slice(0, 32)}`;
}

/**
 * Headers that every email has, besides its addresses. One-click unsubscribe requires https (RFC 8058). Exchange ignores
 * List-Unsubscribe and answers a notice with out-of-office replies, unless asked not to (MS-OXCMAIL). What the product
 * wrote by itself says so, so that no one's machine answers it (RFC 3834).
 */
export function letterHeaders(
  { automatic, aboutAccount }: Pick<CompiledContent, "automatic" | "aboutAccount">,
  { unsubscribe }: RecipientLinks,
): Record<string, string> {
  return {
    ...(automatic && { "Auto-Submitted": "auto-generated" }),
    "X-Auto-Response-Suppress": "OOF, AutoReply",
    ...(!aboutAccount && { "List-Unsubscribe": `<${headerUrl(unsubscribe)}>` }),
    ...(!aboutAccount &&
      unsubscribe.startsWith("https:") && { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }),
  };
}

/** Escapes characters that would end the header or the angle brackets. */
function headerUrl(url: string): string {
  return url.toWellFormed().replace(/[^\x21-\x3b\x3d\x3f-\x7e]/gu, encodeURIComponent);
}
