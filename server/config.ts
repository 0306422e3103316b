import { join, resolve } from "node:path";
import { z } from "zod";
import type { EnvironmentAccount } from "#server/delivery/accounts.ts";
import { smtpAccount, smtpSender, smtpServers } from "#server/delivery/transports/smtp/environment.ts";
import type { SmtpServer } from "#server/delivery/transports/smtp/environment.ts";
import { isLoopback, smtpConnections } from "#server/delivery/transports/smtp/settings.ts";

const projectFolder = join(import.meta.dirname, "..");

const roles = ["web", "worker", "scheduler"] as const;
export type Role = (typeof roles)[number];

const logLevels = ["fatal", "error", "warn", "info", "debug", "trace", "silent"] as const;

export type Config = {
  port: number;
  host: string;
  /** An external PostgreSQL; undefined means the embedded one. */
  databaseUrl?: string;
  /** Absolute path. */
  dataDir: string;
  roles: readonly Role[];
  /** Address that links carry, without a slash at the end. */
  publicUrl: string;
  /** Those that the environment names; others are set up in the console. */
  accounts: readonly EnvironmentAccount[];
  logLevel: (typeof logLevels)[number];
  /** How many reverse proxies to believe about the client's address; false for none. */
  trustProxy: number | false;
  shutdownSeconds: number;
};

/** The message lists every wrong setting with its fix, and no secret. */
export class ConfigError extends Error {
  override name = "ConfigError";

  constructor(problems: readonly string[]) {
    const count = problems.length === 1 ? "A setting is" : `${problems.length} settings are`;
    super(`${count} wrong:\n${problems.map((problem) => `  ${problem}`).join("\n")}`);
  }
}

type Setting<Schema extends z.ZodType> = {
  /** For the documentation; Markdown. */
  meaning: string;
  /** What holds when the variable is not set, as the documentation shows it. */
  default?: string;
  /** From the variable's text, undefined when not set, to its value. */
  schema: Schema;
  /** The value may hold a password: an error shows it without, or not at all. */
  secret?: boolean;
};

const setting = <Schema extends z.ZodType>(entry: Setting<Schema>) => entry;

/** A text that `read` understands; where it answers undefined, the error is `mustBe`, where it throws, that. */
const readable = <Value>(mustBe: string, read: (text: string) => Value | undefined) =>
  z.string().transform((text, context) => {
    try {
      const value = read(text);
      if (value !== undefined) return value;
      context.addIssue(`must be ${mustBe}`);
    } catch (error) {
      context.addIssue((error as Error).message);
    }
    return z.NEVER;
  });

const wholeNumber = (from: number, to: number) =>
  readable(`a whole number from ${from} to ${to}`, (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= from && value <= to ? value : undefined;
  });

/** Every environment variable that Porchlight reads. */
export const settings = {
  PORT: setting({
    meaning: "Port of the web server",
    default: "3000",
    schema: wholeNumber(1, 65_535).default(3000),
  }),
  HOST: setting({
    meaning: "Address the web server listens on; `0.0.0.0` for all of this machine's addresses",
    default: "127.0.0.1",
    schema: readable("an IP address or a host name", (text) =>
      /^[\w.:-]+$/.test(text) ? text : undefined,
    ).default("127.0.0.1"),
  }),
  DATABASE_URL: setting({
    meaning: "A PostgreSQL server (15 to 18) to use, as `postgres://user:password@host:5432/database`",
    default: "the embedded PostgreSQL 18",
    schema: readable("like postgres://user:password@host:5432/database", postgresUrl).optional(),
    secret: true,
  }),
  PORCHLIGHT_DATA: setting({
    meaning: "Folder of the embedded PostgreSQL's data; a relative path starts at the project folder",
    default: "data",
    schema: z
      .string()
      .default("data")
      .transform((path) => resolve(projectFolder, path)),
  }),
  PORCHLIGHT_ROLES: setting({
    meaning: `What this process does: any of \`${roles.join("`, `")}\`, with commas between`,
    default: roles.join(","),
    schema: readable(`one or more of ${roles.join(", ")}, with commas between`, roleList).default([...roles]),
  }),
  PORCHLIGHT_URL: setting({
    meaning: "Public address of this Porchlight, which links in messages carry",
    default: "http://HOST:PORT",
    schema: readable("an address without a path, like https://notices.example.com", publicAddress).optional(),
  }),
  SMTP_URL: setting({
    meaning:
      "Mail server to send email through: `smtp://user:password@host:587` (STARTTLS where offered, and always " +
      "with a password; `?tls=required` or `?tls=off` say otherwise) or `smtps://…:465` (TLS). Several, with spaces " +
      "between, share the email by their `?weight=` of 0 to 100 (1) and take over from each other; 0 only stands by",
    schema: readable("like smtp://user:password@host:587", smtpServers).default([]),
    secret: true,
  }),
  SMTP_FROM: setting({
    meaning: "Sender of email through `SMTP_URL`: `address` or `Name <address>`",
    default:
      "the user of `SMTP_URL` if it is an address, else `porchlight@` and the host of `PORCHLIGHT_URL`",
    schema: readable("an address", (from) => {
      smtpSender(from);
      return from;
    }).optional(),
  }),
  SMTP_CONNECTIONS: setting({
    meaning: "Largest number of connections to each server of `SMTP_URL` at a time",
    default: String(smtpConnections.usual),
    schema: wholeNumber(1, smtpConnections.most).default(smtpConnections.usual),
  }),
  SMTP_RATE: setting({
    meaning: "Messages per second that each server of `SMTP_URL` takes",
    default: "no limit",
    schema: wholeNumber(1, 1_000_000).optional(),
  }),
  LOG_LEVEL: setting({
    meaning: `How much is logged: ${logLevels.map((level) => `\`${level}\``).join(", ")}`,
    default: "info",
    schema: readable(`one of ${logLevels.join(", ")}`, (text) =>
      logLevels.find((level) => level === text),
    ).default("info"),
  }),
  TRUST_PROXY: setting({
    meaning: "Number of reverse proxies in front, whose word about the client's address is believed",
    default: "false",
    schema: readable("false or the number of proxies, 1 to 10", proxyCount).default(false),
  }),
  SHUTDOWN_SECONDS: setting({
    meaning: "How long a stop may take before it is forced",
    default: "30",
    schema: wholeNumber(1, 3600).default(30),
  }),
};

type SettingName = keyof typeof settings;
type Values = { [Name in SettingName]: z.output<(typeof settings)[Name]["schema"]> };

/**
 * Reads the configuration from environment variables. An empty variable counts as not set.
 *
 * @throws {ConfigError} naming every wrong variable
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { schema, secret }] of Object.entries<Setting<z.ZodType>>(settings)) {
    const text = env[name]?.trim() || undefined;
    const result = schema.safeParse(text);
    if (result.success) values[name] = result.data;
    else problems.push(`${name}: ${result.error.issues[0]?.message}; it is ${shown(text ?? "", secret)}`);
  }
  if (problems.length > 0) {
    throw new ConfigError(problems);
  }
  return assemble(values as Values);
}

function assemble(values: Values): Config {
  const publicUrl = values.PORCHLIGHT_URL ?? localUrl(values.HOST, values.PORT);
  return {
    port: values.PORT,
    host: values.HOST,
    databaseUrl: values.DATABASE_URL,
    dataDir: values.PORCHLIGHT_DATA,
    roles: values.PORCHLIGHT_ROLES,
    publicUrl,
    accounts: values.SMTP_URL.map((server) =>
      smtpAccount(server, {
        from: values.SMTP_FROM ?? defaultSender(server, publicUrl),
        connections: values.SMTP_CONNECTIONS,
        rate: values.SMTP_RATE,
      }),
    ),
    logLevel: values.LOG_LEVEL,
    trustProxy: values.TRUST_PROXY,
    shutdownSeconds: values.SHUTDOWN_SECONDS,
  };
}

function defaultSender({ host, user }: SmtpServer, publicUrl: string): string {
  if (user.includes("@")) return user;
  const { hostname } = new URL(publicUrl);
  if (!isLoopback(hostname)) return `porchlight@${hostname}`;
  if (isLoopback(host)) return "porchlight@localhost";
  throw new ConfigError(["SMTP_FROM: must be set, because SMTP_URL is not on this computer"]);
}

/** The settings as a Markdown table for the README. */
export function configTable(): string {
  const rows = Object.entries<Setting<z.ZodType>>(settings).map(
    ([name, { meaning, default: value }]) => `| \`${name}\` | ${meaning} | ${value ?? "none"} |`,
  );
  return ["| Variable | Meaning | Default |", "| --- | --- | --- |", ...rows, ""].join("\n");
}

/** Where a browser on this machine reaches a server that listens on `host`. */
function localUrl(host: string, port: number): string {
  const everyAddress = host === "0.0.0.0" || host === "::";
  const name = everyAddress ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

function shown(text: string, secret = false): string {
  if (!secret) return JSON.stringify(text);
  const urls = text.split(/\s+/).map((part) => URL.parse(part));
  // In a text that is no address, nothing tells where a password begins.
  if (!urls.every((url) => url?.host)) return "not shown here, because it may hold a password";
  const open = urls.map((url) => {
    const { protocol, username, password, host, pathname } = url!;
    return `${protocol}//${username || password ? "***@" : ""}${host}${pathname}`;
  });
  return JSON.stringify(open.join(" "));
}

function postgresUrl(text: string): string | undefined {
  if (!/^postgres(ql)?:\/\//.test(text)) return undefined;
  // A server reached through a socket has no host: postgres://user@/database?host=/run/postgresql
  return URL.canParse(text) || URL.canParse(text.replace("@/", "@localhost/")) ? text : undefined;
}

function roleList(text: string): Role[] | undefined {
  const named = text.split(",").map((name) => name.trim());
  return named.every((name) => roles.some((role) => role === name))
    ? roles.filter((role) => named.includes(role))
    : undefined;
}

function publicAddress(text: string): string | undefined {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) return undefined;
  return url.href === `${url.origin}/` ? url.origin : undefined;
}

function proxyCount(text: string): number | false | undefined {
  if (text === "false" || text === "0") return false;
  return /^([1-9]|10)$/.test(text) ? Number(text) : undefined;
}
