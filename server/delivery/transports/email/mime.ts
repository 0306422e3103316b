import type { EncodedAttachment } from "#server/delivery/content/encoded-attachment.ts";
import { compiledFor, renderTemplate, slotText } from "#server/delivery/content/render.ts";
import {
  joined,
  type FieldValues,
  type RecipientLinks,
  type Template,
} from "#server/delivery/content/compiled.ts";
import { trackedHtml } from "#server/delivery/content/tracked-html.ts";
import type { Tracker } from "#server/delivery/receipts/tracking-address.ts";
import type { RunContent } from "../transport.ts";
import { addressHeader, fileNameParameter, foldedHeader, textHeader } from "./header.ts";
import { letterHeaders, messageIdOf, runOf } from "./message-headers.ts";
import { quotedPrintable, SOFT_BREAK } from "./quoted-printable.ts";

export type Recipient = {
  deliveryId: number;
  /** As in `OutgoingMessage`. */
  round?: number;
  address: string;
  name: string;
  values: FieldValues;
  links: RecipientLinks;
};

/** A message ready for DATA: this recipient's own part, then the attachments, which the run shares. */
export type Mail = { messageId: string; own: Buffer; shared: readonly Buffer[]; size: number };

/** Writes one recipient's message. Throws UnfilledFieldsError. */
export type MailWriter = (recipient: Recipient, date: Date) => Mail;

/**
 * Encodes a run's message once, except the recipient's own values. Per recipient, only headers and slots are written and
 * joined with the rest.
 * multipart/mixed { multipart/alternative { text, html }, attachments… }, or only the alternative when nothing is
 * attached. Quoted-printable never contains `=_` and base64 never `_`, so the boundaries cannot occur in a part.
 * `tracker`: set if we track opens and clicks, because the account's provider doesn't.
 */
export function mailWriter(
  content: RunContent,
  from: { name: string; address: string },
  tracker?: Tracker,
): MailWriter {
  const email = compiledFor(content.compiled, "email");
  const track = tracker && email.track;
  const html = track ? trackedHtml(email.html, track, tracker.site) : email.html;
  const run = runOf(content.compiled);
  const alternative = `=_a.${run}`;
  const mixed = `=_m.${run}`;
  const attached = content.attachments.length > 0;

  const sender = [
    addressHeader("From", from.name || email.fromName, from.address),
    ...(email.replyTo ? [addressHeader("Reply-To", "", email.replyTo)] : []),
  ].join("\r\n");
  const body = joined([
    attached ? `${multipart("mixed", mixed)}--${mixed}\r\n` : "",
    multipart("alternative", alternative),
    `--${alternative}\r\n${textPart("plain")}`,
    ...encoded(email.text),
    `\r\n--${alternative}\r\n${textPart("html")}`,
    ...encoded(html),
    `\r\n--${alternative}--\r\n`,
  ]).map((piece) => (typeof piece === "string" ? flat(piece) : piece));
  const shared = attached
    ? [
        ...content.attachments.flatMap((attachment) => attachmentPart(attachment, mixed)),
        Buffer.from(`--${mixed}--\r\n`),
      ]
    : [];
  const sharedSize = shared.reduce((sum, { length }) => sum + length, 0);

  return ({ deliveryId, round = 0, address, name, values, links: pages }, date) => {
    const links = track ? { ...pages, tracked: tracker.addressOf({ deliveryId, round }) } : pages;
    const messageId = messageIdOf({ deliveryId, round, content }, from.address);
    let text = [
      `Date: ${date.toUTCString().replace("GMT", "+0000")}`,
      sender,
      addressHeader("To", name, address),
      textHeader("Subject", renderTemplate(email.subject, values, links)),
      `Message-ID: <${messageId}>`,
      ...Object.entries(letterHeaders(content.compiled, links)).map((header) => foldedHeader(...header)),
      "MIME-Version: 1.0",
      "",
    ].join("\r\n");
    for (const piece of body) {
      text += typeof piece === "string" ? piece : splice(slotText(piece, values, links));
    }
    const own = Buffer.from(text);
    return { messageId, own, shared, size: own.length + sharedSize };
  };
}

/** V8 keeps a joined string as a tree of its pieces, here thousands, and would walk it anew for each recipient. */
function flat(ascii: string): string {
  return Buffer.from(ascii, "latin1").toString("latin1");
}

function multipart(kind: string, boundary: string): string {
  return `Content-Type: multipart/${kind};\r\n boundary="${boundary}"\r\n\r\n`;
}

function textPart(kind: string): string {
  return `Content-Type: text/${kind}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n`;
}

/** Encodes the literals. Each slot is between two soft breaks, so any value fits. */
function encoded(template: Template): Template {
  const last = template.length - 1;
  return template.map((piece, index) =>
    typeof piece === "string" ? quotedPrintable(piece) + (index < last ? SOFT_BREAK : "") : piece,
  );
}

function splice(value: string): string {
  return value === "" ? "" : quotedPrintable(value) + SOFT_BREAK;
}

function attachmentPart({ name, type, base64 }: EncodedAttachment, boundary: string): Buffer[] {
  // Message and multipart types can't be Base64, and the type is only a claim, so anything unusual becomes octet-stream.
  const known = /^(?!message\/|multipart\/)[a-z0-9.+-]+\/[a-z0-9.+-]+$/i.test(type);
  const head = [
    `--${boundary}`,
    `Content-Type: ${known ? type : "application/octet-stream"}${fileNameParameter("name", name)}`,
    `Content-Disposition: attachment${fileNameParameter("filename", name)}`,
    "Content-Transfer-Encoding: base64",
    "\r\n",
  ].join("\r\n");
  return [Buffer.from(head), base64];
}
