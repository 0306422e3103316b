import { createHash } from "node:crypto";
import { type Channel, writtenAs } from "#contract/delivery.ts";
import {
  isLinkSlot,
  type CompiledContent,
  type LinkSlot,
  type Template,
} from "#server/delivery/content/compiled.ts";

type FrozenContent = {
  notificationId: number;
  sentAt: Date;
  title: string;
  channels: readonly Channel[];
  compiled: CompiledContent;
  attachments: { name: string; size: number; sha256: string }[];
};

const linkTexts: Record<LinkSlot, string> = {
  "@unsubscribe": "{{unsubscribe link}}",
  "@preferences": "{{preferences link}}",
  "@password": "{{one-time link}}",
  "@site": "{{address of this installation}}",
  "@tracked": "{{tracking address}}",
};

/** What was sent, with a person's own details as `{{first_name}}`. */
export function templateText(template: Template): string {
  return template
    .map((piece) => {
      if (typeof piece === "string") return piece;
      return isLinkSlot(piece.field) ? linkTexts[piece.field] : `{{${piece.field.replace("@", "")}}}`;
    })
    .join("");
}

/**
 * The content as it was frozen when it was sent, as JSON whose bytes never change, and the SHA-256 of these bytes. The
 * printable report carries the JSON as an attachment, so that anyone can recompute the hash.
 */
export function contentRecord(frozen: FrozenContent): { json: string; sha256: string } {
  const { compiled, channels } = frozen;
  const written = new Set(channels.map(writtenAs));
  const { email, sms, push } = compiled;
  const record = {
    notification: frozen.notificationId,
    sent: frozen.sentAt.toISOString(),
    title: frozen.title,
    ...(written.has("email") &&
      email && {
        email: {
          fromName: email.fromName,
          ...(email.replyTo !== undefined && { replyTo: email.replyTo }),
          subject: templateText(email.subject),
          text: templateText(email.text),
          html: templateText(email.html),
        },
      }),
    ...(written.has("sms") && sms && { sms: { text: templateText(sms.text) } }),
    ...(written.has("push") &&
      push && { push: { title: templateText(push.title), body: templateText(push.body) } }),
    attachments: frozen.attachments,
  };
  const json = `${JSON.stringify(record, null, 2)}\n`;
  return { json, sha256: createHash("sha256").update(json).digest("hex") };
}
