import { domainToASCII } from "node:url";
import type { Outcome } from "../transport.ts";

/** An address for SMTP. `international`: its local part needs a server with SMTPUTF8. */
export type MailAddress = { address: string; international: boolean };

// Dot-atoms only (RFC 5322 §3.2.3, non-ASCII letters per RFC 6531), so nothing can end a command or a header. Quoted
// local parts are legal but unused in practice.
const LOCAL = /^[\w!#$%&'*+/=?^`{|}~\-\u00a1-\uffff]+(?:\.[\w!#$%&'*+/=?^`{|}~\-\u00a1-\uffff]+)*$/;
const DOMAIN =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** The address with its domain in ASCII (IDNA), or undefined if it is not an address. */
export function mailAddress(text: string): MailAddress | undefined {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  // Without this, `example.com/path` would silently become `example.com`.
  const domain = /^[^\s/?#\\:@%]+$/.test(text.slice(at + 1)) ? domainToASCII(text.slice(at + 1)) : "";
  if (Buffer.byteLength(local) > 64 || !LOCAL.test(local) || !local.isWellFormed()) return undefined;
  if (/[\s\u2000-\u200f\u2028-\u202f\u2066-\u2069\ufeff]/.test(local) || !DOMAIN.test(domain))
    return undefined;
  // oxlint-disable-next-line no-control-regex -- ASCII or not is the question
  return { address: `${local}@${domain}`, international: !/^[\x00-\x7f]*$/.test(local) };
}

/** Whether both are the same mailbox. Local parts are compared without case, as almost all servers do. */
export function sameMailbox(one: string, other: string): boolean {
  const [first, second] = [one, other].map((text) => mailAddress(text)?.address.toLowerCase());
  return first !== undefined && first === second;
}

/** The outcome for an invalid address. */
export function notAnAddress(text: string): Outcome {
  return {
    kind: "refused",
    of: "recipient",
    code: "invalid_address",
    detail: `“${text}” is not an email address`,
  };
}

/** The outcome for an address that only a server with SMTPUTF8 accepts. */
export const NO_SMTPUTF8: Outcome = {
  kind: "refused",
  of: "recipient",
  code: "no_smtputf8",
  detail: "The mail server only accepts plain Latin letters before the @ of an address",
};
