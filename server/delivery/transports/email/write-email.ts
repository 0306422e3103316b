import type { Template } from "#server/delivery/content/compiled.ts";
import { attachedBytes } from "#server/delivery/content/encoded-attachment.ts";
import { compiledFor, renderEmail, type RenderedEmail } from "#server/delivery/content/render.ts";
import type { Outcome, OutgoingMessage, RunContent } from "../transport.ts";
import { referenceOf } from "../webhook.ts";
import { mailAddress, notAnAddress } from "./address.ts";
import { addressHeader } from "./header.ts";
import { letterHeaders, messageIdOf } from "./message-headers.ts";

/** A complete email to one recipient, for an API that takes its parts separately. */
export type WrittenEmail = RenderedEmail & {
  to: string;
  toName: string;
  /** From `referenceOf`. */
  reference: string;
  expiresAt: Date;
  headers: Record<string, string>;
};

/** Throws UnfilledFieldsError. */
export function writeEmail(message: OutgoingMessage, fromEmail: string): WrittenEmail | { refused: Outcome } {
  const { address, name, content, values, links, expiresAt } = message;
  const to = mailAddress(address);
  if (!to) return { refused: notAnAddress(address) };
  return {
    to: to.address,
    toName: name,
    reference: referenceOf(message),
    expiresAt,
    ...renderEmail(content.compiled, values, links),
    headers: {
      "Message-ID": `<${messageIdOf(message, fromEmail)}>`,
      ...letterHeaders(content.compiled, links),
    },
  };
}

/** `Ann Lee <ann@example.com>` on one line, quoted or encoded if necessary. */
export function mailbox(name: string, address: string): string {
  return addressHeader("", name, address).slice(": ".length).replaceAll("\r\n", "");
}

/** Estimates the bytes of one recipient's email in a request: its text plus half again for values, and attachments. */
export function emailBytes(content: RunContent): number {
  const { text, html } = compiledFor(content.compiled, "email");
  return 2000 + 1.5 * (literalBytes(text) + literalBytes(html)) + attachedBytes(content);
}

function literalBytes(template: Template): number {
  return template.reduce((sum, piece) => sum + (typeof piece === "string" ? Buffer.byteLength(piece) : 0), 0);
}
