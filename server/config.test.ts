import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { configTable, parseConfig, settings, type Config } from "#server/config.ts";
import { ConfigError } from "#server/environment.ts";

const project = join(import.meta.dirname, "..");

function problemOf(env: Record<string, string>): string {
  try {
    parseConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("taken as valid");
}

test("an empty environment gives the documented defaults", () => {
  expect(parseConfig({})).toEqual({
    port: 3000,
    host: "127.0.0.1",
    databaseUrl: undefined,
    dataDir: join(project, "data"),
    archiveDir: join(project, "data", "archive"),
    roles: ["web", "worker", "scheduler"],
    publicUrl: "http://127.0.0.1:3000",
    accounts: [],
    privateAddresses: [],
    apiUrls: {},
    logLevel: "info",
    tracing: false,
    trustProxy: false,
    shutdownSeconds: 30,
  });
});

test("an empty or blank variable counts as not set", () => {
  const blank = Object.fromEntries(Object.keys(settings).map((name, index) => [name, " ".repeat(index % 3)]));
  expect(parseConfig(blank)).toEqual(parseConfig({}));
});

const accepted: [Record<string, string>, Partial<Config>][] = [
  [{ PORT: "8080" }, { port: 8080, publicUrl: "http://127.0.0.1:8080" }],
  [{ HOST: "0.0.0.0" }, { host: "0.0.0.0", publicUrl: "http://127.0.0.1:3000" }],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" }, { tracing: true }],
  [{ METRICS_PORT: "9464" }, { metrics: { port: 9464, host: "127.0.0.1", token: undefined } }],
  [
    { METRICS_PORT: "9464", METRICS_TOKEN: "sixteen-or-more-1", HOST: "0.0.0.0" },
    { metrics: { port: 9464, host: "0.0.0.0", token: "sixteen-or-more-1" } },
  ],
  [{ HOST: "::1" }, { host: "::1", publicUrl: "http://[::1]:3000" }],
  [{ HOST: "console.lan" }, { publicUrl: "http://console.lan:3000" }],
  [{ DATABASE_URL: "postgres://a:b@db:5432/app" }, { databaseUrl: "postgres://a:b@db:5432/app" }],
  [
    { DATABASE_URL: "postgresql://db/app?sslmode=require" },
    { databaseUrl: "postgresql://db/app?sslmode=require" },
  ],
  [{ DATABASE_URL: "postgres://a@/app?host=/run/pg" }, { databaseUrl: "postgres://a@/app?host=/run/pg" }],
  [
    { SENDGRID_API_URL: "https://api.eu.sendgrid.com/" },
    { apiUrls: { SENDGRID_API_URL: "https://api.eu.sendgrid.com" } },
  ],
  [
    { SMTP_PRIVATE_ADDRESSES: "10.0.0.5  192.168.1.0/24" },
    { privateAddresses: ["10.0.0.5", "192.168.1.0/24"] },
  ],
  [{ PORCHLIGHT_SECRET_KEY: "A".repeat(43) }, { secretKeys: [Buffer.alloc(32)] }],
  [
    { PORCHLIGHT_DATA: "/srv/porchlight" },
    { dataDir: "/srv/porchlight", archiveDir: "/srv/porchlight/archive" },
  ],
  [
    { PORCHLIGHT_DATA: "elsewhere", PORCHLIGHT_ARCHIVE: "kept" },
    { dataDir: join(project, "elsewhere"), archiveDir: join(project, "kept") },
  ],
  [{ PORCHLIGHT_ROLES: "worker" }, { roles: ["worker"] }],
  [{ PORCHLIGHT_ROLES: "scheduler, web,web" }, { roles: ["web", "scheduler"] }],
  [{ PORCHLIGHT_URL: "https://notices.example.com/" }, { publicUrl: "https://notices.example.com" }],
  [{ LOG_LEVEL: "debug" }, { logLevel: "debug" }],
  [{ TRUST_PROXY: "2" }, { trustProxy: 2 }],
  [{ TRUST_PROXY: "0" }, { trustProxy: false }],
  [{ TRUST_PROXY: "false" }, { trustProxy: false }],
  [{ SHUTDOWN_SECONDS: "5" }, { shutdownSeconds: 5 }],
];

test.each(accepted)("%j is taken", (env, expected) => {
  expect(parseConfig(env)).toMatchObject(expected);
});

describe("mail", () => {
  test("a server alone", () => {
    expect(parseConfig({ SMTP_URL: "smtp://localhost" }).accounts).toMatchObject([
      {
        name: "localhost",
        weight: 1,
        settings: { host: "localhost", port: 587, connections: 20, fromEmail: "porchlight@localhost" },
      },
    ]);
  });

  test("everything said", () => {
    const env = {
      SMTP_URL: "smtps://us%40er:p%2Fw%3A@mail.example.com:4465",
      SMTP_FROM: '"Oak Court" <notices@example.com>',
      SMTP_CONNECTIONS: "20",
      SMTP_RATE: "14",
    };
    expect(parseConfig(env).accounts).toMatchObject([
      {
        settings: {
          host: "mail.example.com",
          port: 4465,
          tls: "implicit",
          user: "us@er",
          password: "p/w:",
          connections: 20,
        },
        sender: { name: "Oak Court", address: "notices@example.com" },
        ratePerSecond: 14,
      },
    ]);
  });

  test("several servers, each with its share; rate and connections are each one's", () => {
    const env = {
      SMTP_URL: "smtp://a.example?weight=3  smtp://b.example",
      SMTP_FROM: "notices@example.com",
      SMTP_RATE: "14",
    };
    expect(parseConfig(env).accounts).toMatchObject([
      { name: "a.example", weight: 3, ratePerSecond: 14 },
      { name: "b.example", weight: 1, ratePerSecond: 14 },
    ]);
  });

  test.each([
    [{ SMTP_URL: "smtp://a%40b.example:pw@mail.example.com" }, "a@b.example"],
    [
      { SMTP_URL: "smtp://mail.example.com", PORCHLIGHT_URL: "https://n.example.com" },
      "porchlight@n.example.com",
    ],
  ])("%j has a sender that follows from it", (env, sender) => {
    expect(parseConfig(env).accounts[0]?.sender).toEqual({ name: "", address: sender });
  });

  test("a sender that follows from nothing is asked for", () => {
    expect(problemOf({ SMTP_URL: "smtp://mail.example.com" })).toContain("SMTP_FROM: must be set");
  });
});

const refused: [string, string[], string][] = [
  ["PORT", ["0", "65536", "-1", "3000.5", "1e3", "http", "99999999999"], "a whole number from 1 to 65535"],
  [
    "SMTP_PRIVATE_ADDRESSES",
    ["10.0.0.0/33", "mail.lan", "10.0.0.1/", "1.2.3.4/8/8"],
    "addresses or networks like 10.0.0.0/8",
  ],
  ["HOST", ["http://localhost", "local host"], "an IP address or a host name"],
  ["PORCHLIGHT_ROLES", ["web,mailer", "all", ","], "one or more of web, worker, scheduler"],
  [
    "PORCHLIGHT_URL",
    ["notices.example.com", "ftp://a.example", "https://a.example/x"],
    "an address without a path",
  ],
  ["SMTP_CONNECTIONS", ["0", "101", "many"], "a whole number from 1 to 100"],
  ["SMTP_RATE", ["0", "-5"], "a whole number from 1 to 1000000"],
  ["LOG_LEVEL", ["verbose", "INFO"], "one of fatal, error, warn, info, debug, trace, silent"],
  ["TRUST_PROXY", ["true", "11", "10.0.0.1"], "false or the number of proxies, 1 to 10"],
  ["SHUTDOWN_SECONDS", ["0", "3601", "30s"], "a whole number from 1 to 3600"],
];

test.each(refused.flatMap(([name, texts, mustBe]) => texts.map((text) => [name, text, mustBe] as const)))(
  "%s=%j is refused",
  (name, text, mustBe) => {
    const problem = problemOf({ [name]: text });
    expect(problem).toContain(`${name}: must be ${mustBe}`);
    expect(problem).toContain(`it is ${JSON.stringify(text)}`);
  },
);

test.each([
  ["SMTP_URL", "smtp://u:hunter2@mail?tls=sometimes", "Use required or off"],
  ["SMTP_URL", "smtp://u:hunter2@mail?tls=sometimes", '"smtp://***@mail"'],
  ["SMTP_URL", "smtp://:hunter2@mail", "needs a user and a password"],
  ["DATABASE_URL", "mysql://root:hunter2@db/app", '"mysql://***@db/app"'],
  ["DATABASE_URL", "postgres:hunter2", "not shown"],
  ["DATABASE_URL", "postgres://u:hunter2@db:port/app", "not shown"],
  ["DATABASE_URL", "postgres://u:p@ss/hunter2@db/app", "encoded, like %2F; it is not shown"],
  ["SMTP_URL", "http://u:hunter2@mail", '"http://***@mail/"'],
  ["SMTP_URL", "smtp://hunter2@", "not shown"],
  ["SMTP_URL", "smtp://u:hunter2%zz@mail", '"smtp://***@mail"'],
  ["PORCHLIGHT_SECRET_KEY", "hunter2", "must be 32 bytes in base64"],
  ["PORCHLIGHT_SECRET_KEY", `${"A".repeat(43)}= hunter2`, "not shown"],
  ["SMTP_URL", "u:hunter2@mail", "not shown"],
  ["SMTP_URL", "smtp://u:hunter2@mail smtp://u:hunter2@mail", '"smtp://***@mail smtp://***@mail"'],
  ["SMTP_URL", "smtp://u:hunter2@mail u:hunter2@mail", "not shown"],
])("%s=%s is refused without showing its password", (name, text, shown) => {
  const problem = problemOf({ [name]: text });
  expect(problem).toContain(`  ${name}: `);
  expect(problem).toContain(shown);
  expect(problem).not.toContain("hunter2");
});

test.each(["Oak Court", "a@b@c", "Oak <a@b.cc> x", "Oak <a@b.cc\r\nBcc: x@y.zz>"])(
  "SMTP_FROM=%j is refused",
  (from) => {
    expect(problemOf({ SMTP_FROM: from })).toMatch(/SMTP_FROM: .* is not a sender/);
  },
);

test("two servers of one process can't share a port", () => {
  expect(problemOf({ METRICS_PORT: "3000" })).toContain(
    "METRICS_PORT: must be another port than PORT, which is 3000",
  );
  expect(parseConfig({ METRICS_PORT: "3000", PORCHLIGHT_ROLES: "worker" }).metrics?.port).toBe(3000);
});

test("all wrong settings are named at once", () => {
  const problem = problemOf({ PORT: "x", LOG_LEVEL: "y", SMTP_RATE: "z", HOST: "localhost" });
  expect(problem).toMatch(/^3 settings are wrong:\n {2}PORT: .*\n {2}LOG_LEVEL: .*\n {2}SMTP_RATE: .*$/);
});

test("the documentation has a row for every setting, and its default is the real one", () => {
  const rows = configTable().trim().split("\n");
  expect(rows.slice(2).map((row) => /^\| `(\w+)`/.exec(row)?.[1])).toEqual(Object.keys(settings));
  for (const row of rows) expect(row.replaceAll("\\|", "").split("|")).toHaveLength(5);

  const stated = Object.entries(settings).flatMap(([name, { default: text }]) =>
    text && !/[ :]/.test(text) ? [[name, text] as const] : [],
  );
  expect(parseConfig(Object.fromEntries(stated))).toEqual(parseConfig({}));
});
