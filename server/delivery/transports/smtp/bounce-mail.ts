import { hash } from "node:crypto";
import type { Attachment } from "postal-mime";
import type { BounceMail } from "../bounce-mailbox.ts";
import { isDeadMailbox } from "../email/dead-mailbox.ts";
import { replyText } from "./outcome.ts";

/**
 * Delivery status notifications (RFC 3464), and the variant for non-ASCII addresses (RFC 6533). No library parses their
 * fields, which are groups of headers: one for the message and one for each recipient.
 */
const STATUS = ["message/delivery-status", "message/global-delivery-status"];
/** The returned message, or its headers. */
const RETURNED = ["message/rfc822", "text/rfc822-headers", "message/global", "message/global-headers"];

/** Parses a delivery status notification; null if the email isn't one, or reports neither a failure nor a delay. */
export async function readBounceMail(raw: Buffer, receivedAt: Date): Promise<BounceMail | null> {
  const { default: PostalMime } = await import("postal-mime");
  const { attachments } = await PostalMime.parse(raw, { forceRfc822Attachments: true });
  const status = attachments.find(({ mimeType }) => STATUS.includes(mimeType));
  if (!status) return null;
  const text = textOf(status);
  const [message, ...recipients] = text.split(/\r?\n(?:[ \t]*\r?\n)+/).map(fieldsOf);
  const actionOf = (recipient: Fields) => (recipient.get("action") ?? "").toLowerCase();
  const recipient =
    recipients.find((one) => actionOf(one) === "failed") ??
    recipients.find((one) => actionOf(one) === "delayed");
  if (!message || !recipient) return null;
  const returned = attachments.find(({ mimeType }) => RETURNED.includes(mimeType));
  const headers = returned && fieldsOf(textOf(returned).split(/\r?\n\r?\n/)[0]!);
  const names = [
    headers?.get("message-id"),
    message.get("original-envelope-id"),
    // Used by Gmail.
    message.get("x-original-message-id"),
  ];
  const { code, detail, noSuchMailbox } = reasonOf(recipient);
  const failed = actionOf(recipient) === "failed";
  const marks = names.flatMap((name) => /d\d+(?:r\d+)?\.[0-9a-f]{32}/.exec(name ?? "")?.[0] ?? []);
  return {
    marks,
    receipt: {
      what: failed ? "bounced" : "delayed",
      // The same notification may be in two mailboxes.
      eventId: `mail ${hash("sha256", `${marks.join()} ${text}`, "hex")}`,
      at: receivedAt,
      code,
      detail,
      recipients: ["original-recipient", "final-recipient"].flatMap(
        // Without its type, angle brackets and comment.
        (name) =>
          /^(?:[\w-]+;)?\s*<?([^\s<>;]{1,64}@[^\s<>]{1,255})/.exec(recipient.get(name) ?? "")?.[1] ?? [],
      ),
      ...(failed && noSuchMailbox && { suppress: true }),
    },
    report: Buffer.from(text),
  };
}

const MAX_FIELD_LENGTH = 4000;

type Fields = ReadonlyMap<string, string>;

/** Unfolded header fields by lowercase name; the first one if a name is repeated. */
function fieldsOf(group: string): Fields {
  const lines = group.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/);
  const fields = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(":");
    const name = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (name !== "" && !fields.has(name))
      fields.set(name, line.slice(colon + 1, colon + MAX_FIELD_LENGTH).trim());
  }
  return fields;
}

/** Prefers the remote server's reply (`smtp; 550-5.1.1 No such user`) where `Status` is only a generic 5.0.0. */
function reasonOf(recipient: Fields): { code: string; detail: string; noSuchMailbox: boolean } {
  const given = /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(recipient.get("status") ?? "")?.[0] ?? "";
  const answer = (recipient.get("diagnostic-code") ?? "").replace(/^[\w-]+;\s*/, "");
  const answered = /^\d{3}[ -]#?([245]\.\d{1,3}\.\d{1,3})\b/.exec(answer)?.[1];
  const code = given === "" || given.endsWith(".0.0") ? (answered ?? (given || "bounced")) : given;
  // Unfolding joined the lines of a multiline reply; removes the code of each.
  const sentence = answer.replace(/ \d{3}[ -][245]\.\d{1,3}\.\d{1,3}(?= )/g, "");
  const enhanced = /^[245]\./.test(code) ? code : "";
  // A report of its own words, without a code, may be about anything.
  return { code, detail: replyText(sentence), noSuchMailbox: isDeadMailbox(enhanced, sentence) };
}

function textOf({ content }: Attachment): string {
  return typeof content === "string" ? content : Buffer.from(content as Uint8Array).toString("utf8");
}
