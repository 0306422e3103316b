import { hash } from "node:crypto";
import type { CompiledContent, RecipientLinks } from "#server/delivery/content/compiled.ts";

/** What names a run in mails: short, and of letters that fit anywhere. */
export const runOf = ({ key }: CompiledContent) => hash("sha256", key, "hex").slice(0, 16);

/** Without angle brackets. The same in every attempt: a mail reader recognizes a copy by it. `run`: of `runOf`. */
export function messageIdOf(deliveryId: number, run: string, fromEmail: string): string {
  return `d${deliveryId}.${run}@${fromEmail.slice(fromEmail.lastIndexOf("@") + 1)}`;
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
