import { domainToASCII } from "node:url";
import { isIP } from "node:net";
import { oneLine } from "#server/delivery/content/writing.ts";
import { mailAddress } from "./address.ts";

/** An SMTP server and our account on it. */
export type SmtpAccount = {
  host: string;
  port: number;
  /** `implicit`: from the first byte. `required`: by STARTTLS or not at all. `offered`: if the server can. */
  tls: "implicit" | "required" | "offered" | "off";
  /** False on this computer only, where a certificate proves nothing. */
  verifyCertificate: boolean;
  login?: { user: string; password: string };
  /** Sender of every mail and of its envelope. Without a name, mails carry the site's. */
  from: { name: string; address: string };
  connections: number;
};

/**
 * Connections at one time. The pace is their number divided by the time of a commit; fewer are used where the server
 * allows fewer.
 */
export const smtpConnections = { usual: 20, most: 100 } as const;

/**
 * Reads `smtp://user:password@host:port?tls=…` or `smtps://…` (TLS from the first byte; ports 587 and 465).
 * Without `tls`, STARTTLS is used where it is offered, and is required once a password would cross a network;
 * `tls=required` and `tls=off` say otherwise. `from` is `address` or `Name <address>`.
 *
 * Throws an Error whose message names what is wrong and never holds the password.
 */
export function smtpAccount(url: string, options: { from: string; connections?: number }): SmtpAccount {
  const parsed = URL.parse(url.trim());
  if (parsed === null || !["smtp:", "smtps:"].includes(parsed.protocol) || parsed.hostname === "") {
    throw new Error("An SMTP address looks like smtp://user:password@mail.example.com:587");
  }
  const host = hostOf(parsed);
  const implicit = parsed.protocol === "smtps:";
  const login = loginOf(parsed);
  const connections = options.connections ?? smtpConnections.usual;
  if (!Number.isInteger(connections) || connections < 1 || connections > smtpConnections.most) {
    throw new Error(`The number of SMTP connections must be 1 to ${smtpConnections.most}`);
  }
  return {
    host,
    port: Number(parsed.port) || (implicit ? 465 : 587),
    tls: implicit ? "implicit" : tlsOf(parsed, login !== undefined && !isLoopback(host)),
    verifyCertificate: !isLoopback(host),
    ...(login ? { login } : {}),
    from: senderOf(options.from),
    connections,
  };
}

export function isLoopback(host: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|::1)$/i.test(host);
}

function hostOf(url: URL): string {
  const bare = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const host = isIP(bare) ? bare : domainToASCII(decodeURIComponent(bare));
  if (host === "") throw new Error(`“${bare}” is not a host name`);
  return host;
}

function tlsOf(url: URL, passwordCrossesNetwork: boolean): SmtpAccount["tls"] {
  const tls = url.searchParams.get("tls");
  if (tls === "required" || tls === "off") return tls;
  if (tls !== null) throw new Error(`tls=${oneLine(tls)} is neither required nor off`);
  return passwordCrossesNetwork ? "required" : "offered";
}

function loginOf(url: URL): SmtpAccount["login"] {
  if (url.username === "" && url.password === "") return undefined;
  if (url.username === "" || url.password === "")
    throw new Error("An SMTP login needs a user and a password");
  try {
    return { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  } catch {
    throw new Error("A % in the SMTP user or password is written as %25");
  }
}

function senderOf(from: string): SmtpAccount["from"] {
  const named = /^(.*)<([^<>]*)>$/.exec(from.trim());
  const address = mailAddress((named?.[2] ?? from).trim());
  if (address === undefined || address.international) {
    throw new Error(`“${oneLine(from)}” is not a sender: write address or Name <address>`);
  }
  const name = oneLine(named?.[1] ?? "").replace(/^"(.*)"$/, "$1");
  return { name, address: address.address };
}
