import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import type { EnvironmentAccount } from "#server/delivery/accounts/accounts.ts";
import { oneLine } from "#server/delivery/content/writing.ts";
import { ConfigError, readable, setting, wholeNumber } from "#server/environment.ts";
import { transportEnvironment } from "../environment.ts";
import { isLoopback } from "../loopback.ts";
import { smtp } from "./adapter.ts";
import { mailAddress } from "../email/address.ts";
import { smtpConnections, smtpSettings, type SmtpSettings } from "./settings.ts";

export const smtpEnvironment = transportEnvironment({
  settings: {
    SMTP_URL: setting({
      meaning:
        "Mail server to send email through: `smtp://user:password@host:587` (STARTTLS if offered, and always " +
        "with a password, unless `?tls=required` or `?tls=off` is set) or `smtps://…:465` (TLS). Several, separated by " +
        "spaces, share the email by `?weight=` (0 to 100, default 1) and take over for each other; 0 is standby only",
      schema: readable("like smtp://user:password@host:587", smtpServers).default([]),
      secret: true,
    }),
    SMTP_FROM: setting({
      meaning: "Sender of email sent through `SMTP_URL`: `address` or `Name <address>`",
      default:
        "the user in `SMTP_URL` if it is an address, otherwise `porchlight@` and the host of `PORCHLIGHT_URL`. " +
        "Required if that host is this computer and the mail server is another one",
      schema: readable("an address", (from) => {
        smtpSender(from);
        return from;
      }).optional(),
    }),
    SMTP_CONNECTIONS: setting({
      meaning: "Maximum connections to each server in `SMTP_URL`",
      default: String(smtpConnections.default),
      schema: wholeNumber(1, smtpConnections.max).default(smtpConnections.default),
    }),
    SMTP_EHLO_NAME: setting({
      meaning: "The name by which we introduce ourselves to each server in `SMTP_URL` (EHLO)",
      default: "the host of `PORCHLIGHT_URL`, or the sender's domain",
      schema: readable("a host name", (name) => smtpSettings.shape.ehloName.parse(name)).default(""),
    }),
    SMTP_RATE: setting({
      meaning: "Messages per second to each server in `SMTP_URL`",
      default: "no limit",
      schema: wholeNumber(1, 1_000_000).optional(),
    }),
  },
  accounts: (values, publicUrl) =>
    values.SMTP_URL.map((server) =>
      smtpAccount(server, {
        from: values.SMTP_FROM ?? defaultSender(server, publicUrl),
        connections: values.SMTP_CONNECTIONS,
        ehloName: values.SMTP_EHLO_NAME,
        rate: values.SMTP_RATE,
      }),
    ),
});

/** A mail server, from one URL. */
type SmtpServer = Pick<SmtpSettings, "host" | "port" | "tls" | "user" | "password"> & {
  /** The host, with the user if there are several accounts on one host. */
  name: string;
  weight: number;
};

/**
 * Reads `smtp://user:password@host:port?tls=…&weight=…` or `smtps://…` (TLS from the first byte; ports 587 and 465),
 * any number of them separated by spaces. By default, STARTTLS is used if offered, and required if a password would cross
 * a network; `tls=required` and `tls=off` override this.
 *
 * Throws an Error whose message says what is wrong and never contains a password.
 */
export function smtpServers(urls: string): SmtpServer[] {
  const servers = urls.trim().split(/\s+/).map(smtpServer);
  return servers.map((server) => {
    const { host, user } = server;
    const onHost = servers.filter((other) => other.host === host);
    if (onHost.filter((other) => other.user === user).length > 1) {
      throw new Error(`${user ? `${user} at ${host}` : host} is listed twice`);
    }
    return { ...server, name: onHost.length > 1 && user ? `${user} at ${host}` : host };
  });
}

function smtpServer(text: string): SmtpServer {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "" || !/^\/?$/.test(url.pathname)) {
    throw new Error("An SMTP address looks like smtp://user:password@mail.example.com:587");
  }
  const host = hostOf(url);
  const implicit = url.protocol === "smtps:";
  const { user, password } = loginOf(url);
  return {
    host,
    name: host,
    port: Number(url.port) || (implicit ? 465 : 587),
    tls: implicit ? "implicit" : tlsOf(url, user !== "" && !isLoopback(host)),
    user,
    password,
    weight: weightOf(url),
  };
}

/** The account of one server; `from` is `address` or `Name <address>`. Throws like `smtpServers`. */
export function smtpAccount(
  { name, weight, ...server }: SmtpServer,
  options: { from: string; connections?: number; ehloName?: string; rate?: number | undefined },
): EnvironmentAccount {
  const sender = smtpSender(options.from);
  const { connections, ehloName } = options;
  const parsed = smtpSettings.safeParse({ ...server, ...sender, connections, ehloName });
  if (!parsed.success) throw new Error(parsed.error.issues[0]!.message);
  return {
    key: `${smtp.kind} ${server.user ? `${server.user}@` : ""}${server.host}`,
    adapter: smtp,
    channel: "email",
    name,
    weight,
    ratePerSecond: options.rate,
    sender: { name: sender.fromName, address: sender.fromEmail },
    settings: parsed.data,
  };
}

function defaultSender({ host, user }: SmtpServer, publicUrl: string): string {
  if (user.includes("@")) return user;
  const { hostname } = new URL(publicUrl);
  if (!isLoopback(hostname)) return `porchlight@${hostname}`;
  if (isLoopback(host)) return "porchlight@localhost";
  throw new ConfigError(["SMTP_FROM: must be set, because the server in SMTP_URL is not on this computer"]);
}

/** Reads `address` or `Name <address>`. */
export function smtpSender(from: string): Pick<SmtpSettings, "fromName" | "fromEmail"> {
  const named = /^(.*)<([^<>]*)>$/.exec(from.trim());
  const address = mailAddress((named?.[2] ?? from).trim());
  if (address === undefined || address.international) {
    throw new Error(`“${oneLine(from)}” is not a sender: write address or Name <address>`);
  }
  const fromName = oneLine(named?.[1] ?? "").replace(/^"(.*)"$/, "$1");
  return { fromName, fromEmail: address.address };
}

function hostOf(url: URL): string {
  const bare = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const host = isIP(bare) ? bare : domainToASCII(decodeURIComponent(bare));
  if (host === "") throw new Error(`“${bare}” is not a host name`);
  return host;
}

function tlsOf(url: URL, passwordCrossesNetwork: boolean): SmtpSettings["tls"] {
  const tls = url.searchParams.get("tls");
  if (tls === "required" || tls === "off") return tls;
  if (tls !== null) throw new Error(`tls=${oneLine(tls)} is not valid. Use required or off`);
  return passwordCrossesNetwork ? "required" : "offered";
}

function weightOf(url: URL): number {
  const weight = url.searchParams.get("weight") ?? "1";
  if (/^(\d{1,2}|100)$/.test(weight)) return Number(weight);
  throw new Error(`weight=${oneLine(weight)} is not a whole number from 0 to 100`);
}

function loginOf(url: URL): Pick<SmtpSettings, "user" | "password"> {
  if ((url.username === "") !== (url.password === "")) {
    throw new Error("An SMTP login needs a user and a password");
  }
  try {
    return { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) };
  } catch {
    throw new Error("Write a % in the SMTP user or password as %25");
  }
}
