import { join, resolve } from "node:path";
import { z } from "zod";
import type { EnvironmentAccount } from "#server/delivery/accounts/accounts.ts";
import { apiAddress, networks, postgresUrl, proxyCount, publicAddress, shown } from "#server/config-texts.ts";
import { adapters, transportEnvironments } from "#server/delivery/transports/registry.ts";
import {
  ConfigError,
  readable,
  setting,
  wholeNumber,
  type Settings,
  type SettingValues,
} from "#server/environment.ts";
import { parseSecretKeys } from "#server/secret-keys.ts";

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
  /** Absolute path; undefined beside an external database, because this machine may not last as long. */
  archiveDir: string | undefined;
  roles: readonly Role[];
  /** Address used for links, without a trailing slash. */
  publicUrl: string;
  /** Accounts from the environment; others are set up in the console. */
  accounts: readonly EnvironmentAccount[];
  /** What encrypts the secrets of the console's accounts; undefined: the key file in the data folder. */
  secretKeys?: readonly Buffer[];
  /** Private addresses and networks that a mail server of the console's accounts may have. */
  privateAddresses: readonly string[];
  /** Of providers whose API is not at its usual address, by variable. */
  apiUrls: Readonly<Record<string, string>>;
  logLevel: (typeof logLevels)[number];
  /** Where operators ask for metrics and health; undefined: nowhere. */
  metrics?: { port: number; host: string; token: string | undefined };
  /** Whether traces are sent; the OTEL_* variables say where to and how. */
  tracing: boolean;
  /** Number of reverse proxies whose client address is trusted; false for none. */
  trustProxy: number | false;
  shutdownSeconds: number;
};

/** Without the settings that transports declare for their accounts. */
const ownSettings = {
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
    meaning:
      "A PostgreSQL server (15 to 18) to use, as `postgres://user:password@host:5432/database`, with `?sslmode=verify-full` for TLS",
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
  PORCHLIGHT_ARCHIVE: setting({
    meaning:
      "Folder of archived months (Settings, Keep delivery details); several schedulers need the same one. A relative " +
      "path starts at the project folder",
    default: "`archive` in `PORCHLIGHT_DATA`; with `DATABASE_URL`, none: then nothing is archived",
    schema: z
      .string()
      .transform((path) => resolve(projectFolder, path))
      .optional(),
  }),
  PORCHLIGHT_ROLES: setting({
    meaning: `What this process does: any of \`${roles.join("`, `")}\`, separated by commas`,
    default: roles.join(","),
    schema: readable(`one or more of ${roles.join(", ")}, separated by commas`, roleList).default([...roles]),
  }),
  PORCHLIGHT_URL: setting({
    meaning: "Public address of Porchlight, used for links in messages",
    default: "http://HOST:PORT",
    schema: readable("an address without a path, like https://notices.example.com", publicAddress).optional(),
  }),
  SMTP_PRIVATE_ADDRESSES: setting({
    meaning:
      "Mail servers on this computer or your own network that accounts in Integrations may use: addresses or " +
      "networks (`10.0.0.5 192.168.1.0/24`), separated by spaces. `SMTP_URL` needs none of this",
    schema: readable("addresses or networks like 192.168.1.0/24", networks).default([]),
  }),
  PORCHLIGHT_SECRET_KEY: setting({
    meaning:
      "Encrypts the passwords and keys that are saved in Integrations: 32 bytes in base64 (`openssl rand -base64 32`). " +
      "To change it, put the new one before the old one, separated by a space, and restart",
    default: "`secret.key` in `PORCHLIGHT_DATA`, created on first use",
    schema: readable("32 bytes in base64", parseSecretKeys).optional(),
    secret: true,
  }),
  LOG_LEVEL: setting({
    meaning: `How much is logged: ${logLevels.map((level) => `\`${level}\``).join(", ")}`,
    default: "info",
    schema: readable(`one of ${logLevels.join(", ")}`, (text) =>
      logLevels.find((level) => level === text),
    ).default("info"),
  }),
  METRICS_PORT: setting({
    meaning:
      "Port of `/metrics` for Prometheus, and of `/healthz` and `/readyz` in any role and while migrating, on `HOST`",
    default: "not served",
    schema: wholeNumber(1, 65_535).optional(),
  }),
  METRICS_TOKEN: setting({
    meaning:
      "What Prometheus has to present to read `/metrics`, as `Authorization: Bearer …`. Without it, only this computer can",
    schema: readable("at least 16 characters without spaces", (text) =>
      /^\S{16,}$/.test(text) ? text : undefined,
    ).optional(),
    secret: true,
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting({
    meaning:
      "OpenTelemetry collector that traces are sent to, like `http://127.0.0.1:4318`. The other standard `OTEL_*` " +
      "variables apply too, such as `OTEL_TRACES_SAMPLER`",
    schema: readable("an address like http://127.0.0.1:4318", apiAddress).optional(),
  }),
  TRUST_PROXY: setting({
    meaning: "Number of reverse proxies in front of Porchlight whose forwarded client address is trusted",
    default: "false",
    schema: readable("false or the number of proxies, 1 to 10", proxyCount).default(false),
  }),
  SHUTDOWN_SECONDS: setting({
    meaning: "How long shutting down may take before it is forced",
    default: "30",
    schema: wholeNumber(1, 3600).default(30),
  }),
};

type Values = SettingValues<typeof ownSettings>;

/** Where each provider's web API is. */
const apiUrlSettings: Settings = Object.fromEntries(
  adapters.flatMap(({ api, label }) =>
    api
      ? [
          [
            api.variable,
            setting({
              meaning: api.meaning ?? `Address of ${label}'s API, for another region or an emulator`,
              ...(api.meaning === undefined && { default: `\`${api.url}\`` }),
              schema: readable("an address like https://api.example.com", apiAddress).optional(),
            }),
          ],
        ]
      : [],
  ),
);

/** Every environment variable that Porchlight reads. */
export const settings: Settings = Object.assign(
  {},
  ownSettings,
  ...transportEnvironments.map((environment) => environment.settings),
  apiUrlSettings,
);

/**
 * Reads the configuration from environment variables. An empty variable counts as not set.
 * @throws {ConfigError} naming every invalid variable
 */
export function parseConfig(env: Record<string, string | undefined>): Config {
  const problems: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, { schema, secret }] of Object.entries(settings)) {
    const text = env[name]?.trim() || undefined;
    const result = schema.safeParse(text);
    if (result.success) values[name] = result.data;
    else problems.push(`${name}: ${result.error.issues[0]?.message}; it is ${shown(text ?? "", secret)}`);
  }
  if (problems.length > 0) {
    throw new ConfigError(problems);
  }
  const { PORT, METRICS_PORT, PORCHLIGHT_ROLES } = values as Values;
  if (METRICS_PORT === PORT && PORCHLIGHT_ROLES.includes("web")) {
    throw new ConfigError([`METRICS_PORT: must be another port than PORT, which is ${PORT}`]);
  }
  const apiUrls = Object.fromEntries(
    Object.keys(apiUrlSettings).flatMap((name) => {
      const url = values[name];
      return typeof url === "string" ? [[name, url]] : [];
    }),
  );
  return assemble(values as Values, apiUrls);
}

function assemble(values: Values, apiUrls: Config["apiUrls"]): Config {
  const publicUrl = values.PORCHLIGHT_URL ?? localUrl(values.HOST, values.PORT);
  return {
    port: values.PORT,
    host: values.HOST,
    databaseUrl: values.DATABASE_URL,
    dataDir: values.PORCHLIGHT_DATA,
    archiveDir:
      values.PORCHLIGHT_ARCHIVE ??
      (values.DATABASE_URL ? undefined : join(values.PORCHLIGHT_DATA, "archive")),
    roles: values.PORCHLIGHT_ROLES,
    publicUrl,
    accounts: transportEnvironments.flatMap((kind) => kind.accounts(values, publicUrl)),
    ...(values.PORCHLIGHT_SECRET_KEY && { secretKeys: values.PORCHLIGHT_SECRET_KEY }),
    privateAddresses: values.SMTP_PRIVATE_ADDRESSES,
    apiUrls,
    logLevel: values.LOG_LEVEL,
    ...(values.METRICS_PORT && {
      metrics: {
        port: values.METRICS_PORT,
        host: values.HOST,
        token: values.METRICS_TOKEN,
      },
    }),
    tracing: values.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined,
    trustProxy: values.TRUST_PROXY,
    shutdownSeconds: values.SHUTDOWN_SECONDS,
  };
}

/** The settings as a Markdown table for the README. */
export function configTable(): string {
  const rows = Object.entries(settings).map(
    ([name, { meaning, default: value }]) => `| \`${name}\` | ${meaning} | ${value ?? "none"} |`,
  );
  return ["| Variable | Meaning | Default |", "| --- | --- | --- |", ...rows, ""].join("\n");
}

/** The host that a browser on this machine uses to reach a server listening on `host`. */
function localUrl(host: string, port: number): string {
  const everyAddress = host === "0.0.0.0" || host === "::";
  const name = everyAddress ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

function roleList(text: string): Role[] | undefined {
  const named = text.split(",").map((name) => name.trim());
  return named.every((name) => roles.some((role) => role === name))
    ? roles.filter((role) => named.includes(role))
    : undefined;
}
