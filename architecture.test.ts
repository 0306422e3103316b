import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

/** Who may import whom. A folder's rule is the longest prefix that fits; what it does not name is refused. */

const root = import.meta.dirname;

// The features that a feature may call, from the ground up: it calls only what stands before it, so none go in
// circles. Each one is named, so that a new dependency is a decision.
const featureMay: Record<string, string[]> = {
  attachments: [],
  settings: [],
  people: ["settings"],
  templates: ["people", "settings"],
  audience: ["settings"],
  auth: ["people", "settings"],
  consent: ["settings"],
  suppressions: ["people"],
  deliveries: ["consent"],
  integrations: ["auth", "settings"],
  details: [],
  webhooks: [],
  tracking: ["consent"],
  credentials: ["auth", "people", "settings"],
  "two-factor": ["auth", "credentials", "people", "settings"],
  profile: ["attachments", "auth", "consent", "credentials", "people"],
  notifications: ["settings"],
  reports: ["notifications", "settings"],
  schedules: ["audience", "notifications", "settings"],
  shell: ["notifications", "people", "schedules", "settings"],
  dashboard: ["notifications", "settings"],
  groups: ["people", "schedules"],
  places: ["groups", "people", "schedules"],
  csv: ["credentials", "groups", "people"],
  imports: ["csv", "groups", "people", "places", "settings"],
  values: ["csv", "imports", "people"],
  audit: ["notifications", "profile", "settings"],
  sample: ["details", "groups", "notifications", "people", "schedules", "settings"],
  users: ["auth", "consent", "credentials", "groups", "people", "schedules", "two-factor"],
};

type Rule = { folder: string; may: string[] };

const rules: Rule[] = [
  { folder: "contract", may: ["contract"] },
  { folder: "server", may: ["server", "contract"] },
  // What every part of the server tells about itself, so it stands below all of them.
  { folder: "server/telemetry/signals.ts", may: ["contract"] },
  { folder: "server/db", may: ["server/db", "server/telemetry/signals.ts", "contract"] },
  { folder: "server/http", may: ["server/http", "server/db", "server/telemetry/signals.ts", "contract"] },
  { folder: "server/audience", may: ["server/audience", "server/db", "contract"] },
  { folder: "server/spreadsheets", may: ["server/spreadsheets", "contract"] },
  { folder: "server/places", may: ["server/places", "server/db", "contract"] },
  { folder: "server/messages", may: ["server/messages", "server/audience", "server/db", "contract"] },
  // How an environment variable is declared: a transport declares its own.
  { folder: "server/environment.ts", may: [] },
  {
    folder: "server/delivery",
    may: [
      "server/delivery",
      "server/messages",
      "server/audience",
      "server/places",
      "server/db",
      "server/environment.ts",
      "server/telemetry/signals.ts",
      "contract",
    ],
  },
  {
    folder: "server/delivery/testing",
    may: ["server/delivery", "server/messages", "server/audience", "server/db", "server/testing", "contract"],
  },
  {
    // It reads what the engine has written, by the engine's own definitions: the tallies of a run, how accounts stand,
    // what an attempt can come to. Nothing of what sends or changes.
    folder: "server/activity",
    may: [
      "server/activity",
      "server/delivery/content",
      "server/delivery/accounts/accounts.ts",
      "server/delivery/runs/run-totals.ts",
      "server/delivery/transports/transport.ts",
      "server/audience",
      "server/db",
      "contract",
    ],
  },
  { folder: "server/testing", may: ["server", "contract"] },
  ...Object.entries(featureMay).map(([feature, others]) => ({
    folder: `server/features/${feature}`,
    may: [
      `server/features/${feature}`,
      ...others.map((other) => `server/features/${other}`),
      "server/db",
      "server/http",
      "server/audience",
      "server/places",
      "server/spreadsheets",
      "server/messages",
      "server/delivery",
      "server/activity",
      "contract",
    ],
  })),
  // What stands in for a provider, for tests, benchmarks and `npm run emulators`.
  {
    folder: "emulators",
    may: ["emulators", "server/delivery/content", "server/delivery/transports", "contract"],
  },
  {
    folder: "server/delivery/transports/testing",
    may: ["server/delivery", "emulators", "contract"],
  },
  { folder: "web", may: ["web", "contract"] },
  { folder: "web/ui", may: ["web/ui", "contract/text/locale.ts", "contract/text/home-dates.ts"] },
  { folder: "web/api", may: ["web/api", "contract"] },
  { folder: "web/domain", may: ["web/domain", "web/ui", "web/api", "contract"] },
];

const packagesOf: Record<string, RegExp> = {
  contract: /^zod$/,
  "web/ui": /^(?!@tanstack\/react-query$)/,
};

type Import = { file: string; target: string };

const statements = [
  /^(?:import|export)\s[^;"']*?\sfrom\s+"([^"]+)"/gm,
  /^import\s+"([^"]+)"/gm,
  /\bimport\(\s*"([^"]+)"\s*\)/g,
];

function importsOf(file: string): Import[] {
  const source = readFileSync(join(root, file), "utf8");
  const found = statements.flatMap((statement) => [...source.matchAll(statement)]);
  return found.map((match) => ({ file, target: toPath(file, match[1] ?? "") }));
}

/** A path from the root for our own files; a package's name for others. */
function toPath(file: string, specifier: string): string {
  if (specifier.startsWith("#")) return specifier.slice(1);
  if (specifier.startsWith(".")) return relative(root, resolve(root, dirname(file), specifier));
  return `package:${specifier}`;
}

const within = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

function ruleOf(file: string): Rule | undefined {
  const fitting = rules.filter(({ folder }) => within(file, folder));
  return fitting.sort((a, b) => b.folder.length - a.folder.length)[0];
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$/.test(file) || within(file, "server/testing");
}

/** A feature of the browser knows no other one; pages compose them. */
function webRule(file: string): Rule | undefined {
  const feature = /^web\/features\/([^/]+)/.exec(file)?.[0];
  return feature
    ? { folder: feature, may: [feature, "web/domain", "web/ui", "web/api", "contract"] }
    : undefined;
}

function violations(files: string[]): string[] {
  return files
    .filter((file) => !isTest(file))
    .flatMap((file) => {
      const rule = webRule(file) ?? ruleOf(file);
      if (!rule) return [`${file}: no rule for this folder`];
      return importsOf(file).flatMap(({ target }) => {
        if (target.startsWith("package:")) {
          const allowed = packagesOf[rule.folder];
          return !allowed || allowed.test(target.slice("package:".length)) ? [] : [`${file} → ${target}`];
        }
        return rule.may.some((folder) => within(target, folder)) ? [] : [`${file} → ${target}`];
      });
    });
}

const files = globSync("{contract,server,emulators,web}/**/*.{ts,tsx}", {
  cwd: root,
  exclude: ["**/vite.config.ts"],
});

test("every file imports only what its folder may", () => {
  expect(files.length).toBeGreaterThan(50);
  expect(violations(files)).toEqual([]);
});

test("every server feature has its rule", () => {
  const features = new Set(
    globSync("server/features/*/*.ts", { cwd: root }).map((file) => file.split("/")[2]),
  );
  expect(features).toEqual(new Set(Object.keys(featureMay)));
});

test("a feature calls those below it, and each one that its rule names", () => {
  const order = Object.keys(featureMay);
  const upward = Object.entries(featureMay).flatMap(([feature, others]) =>
    others.filter((other) => order.indexOf(other) >= order.indexOf(feature)).map((other) => [feature, other]),
  );
  expect(upward).toEqual([]);

  const called = files
    .filter((file) => !isTest(file))
    .flatMap(importsOf)
    .map(({ file, target }) => `${file} → ${target}`);
  const idle = Object.entries(featureMay).flatMap(([feature, others]) =>
    others
      .map((other) => ({ from: `server/features/${feature}/`, to: ` → server/features/${other}/` }))
      .filter(({ from, to }) => !called.some((call) => call.startsWith(from) && call.includes(to))),
  );
  expect(idle).toEqual([]);
});

test("only the registry knows a transport", () => {
  const kinds = globSync("server/delivery/transports/*/adapter.ts", { cwd: root }).map((path) =>
    dirname(path),
  );
  expect(kinds).toContain("server/delivery/transports/smtp");
  const known = files
    .filter(
      (file) => !isTest(file) && !within(file, "emulators") && !file.endsWith("/transports/registry.ts"),
    )
    .flatMap(importsOf)
    .filter(({ file, target }) => kinds.some((kind) => within(target, kind) && !within(file, kind)))
    .map(({ file, target }) => `${file} → ${target}`);
  expect(known).toEqual([]);
});

test("no schema reads the schemas of a call, which the browser's calls don't have", () => {
  const reading = files.filter(
    (file) =>
      within(file, "contract") &&
      !isTest(file) &&
      /\.(?:reply|body|query|params)\.(?:shape|element|unwrap)\b/.test(
        readFileSync(join(root, file), "utf8"),
      ),
  );
  expect(reading).toEqual([]);
});

test("a feature's transaction is part of the one it is called in", () => {
  const own = files.filter(
    (file) =>
      within(file, "server/features") &&
      !isTest(file) &&
      /\.transaction\(\)/.test(readFileSync(join(root, file), "utf8")),
  );
  expect(own).toEqual([]);
});

test("what someone may do is asked as a permission, not by role", () => {
  // In these files a role is a fact about a person: what they become, are counted, found or labeled as.
  const facts = [
    "contract/calls/auth.ts",
    "contract/calls/csv.ts",
    "contract/calls/users.ts",
    "contract/text/role-name.ts",
    "server/delivery/testing/scene.ts",
    "server/features/audit/sentences.ts",
    "server/features/auth/register.ts",
    "server/features/csv/read-row.ts",
    "server/features/dashboard/first-steps.ts",
    "server/features/dashboard/queries.ts",
    "server/features/sample/groups.ts",
    "server/features/sample/history.ts",
    "server/features/sample/people.ts",
    "server/features/sample/rows.ts",
    "server/features/sample/sample-records.ts",
    "web/domain/avatar.tsx",
    "web/domain/sample-property.tsx",
    "web/features/csv/import-form.ts",
    "web/features/dashboard/stat-cards.tsx",
    "web/features/groups/group-text.ts",
    "web/features/users/edit/user-form.ts",
  ];
  const naming = files
    .filter((file) => !isTest(file))
    .filter((file) => /["'`](admin|staff|tenant)["'`]/.test(readFileSync(join(root, file), "utf8")));
  expect(naming.toSorted()).toEqual(facts);
});

test("whatever queues a delivery asks departure.ts when it may leave", () => {
  const around = files
    .filter((file) => within(file, "server") && !isTest(file))
    .filter((file) => /\bdue_at = (?!\$\{)/.test(readFileSync(join(root, file), "utf8")));
  // A wrong clock also put off the moment at which what is uncertain is decided; nothing leaves then.
  expect(around).toEqual(["server/delivery/worker/clock-set-back.ts"]);
});

/** The files of product code, without tests, in which a pattern occurs. */
function filesWith(pattern: RegExp, ...but: readonly string[]): string[] {
  return files.filter(
    (file) =>
      !isTest(file) &&
      !but.some((folder) => within(file, folder)) &&
      pattern.test(readFileSync(join(root, file), "utf8")),
  );
}

test("one place says in which language numbers, dates and lists are written", () => {
  const asks =
    /["'`][a-z]{2}-[A-Z]{2}["'`]|\.toLocale(?:Date|Time)?String\(\)|\bIntl\.\w+(?:Format|Rules)\(\)/;
  expect(filesWith(asks, "contract/text/locale.ts")).toEqual([]);
});

test("what is refused has its words from the catalogs of the contract", () => {
  expect(filesWith(/\bnew AppError\(/, "contract")).toEqual([]);
});

test("no drawer for odds and ends, and no barrels", () => {
  const drawers = files.filter((file) =>
    /(^|\/)(utils?|helpers?|lib|common|shared|misc)(\/|\.tsx?$)/.test(file),
  );
  const barrels = files.filter((file) => /(^|\/)index\.tsx?$/.test(file));
  expect([...drawers, ...barrels]).toEqual([]);
});

test("the files that the documents name are there", () => {
  const documents = ["README.md", ...globSync("docs/**/*.md", { cwd: root }), "web/ui/README.md"];
  const sources = globSync("{contract,server,emulators,web,e2e,bench,scripts}/**/*.{ts,tsx,sql,css}", {
    cwd: root,
  });
  const known = (name: string) => sources.some((path) => path === name || path.endsWith(`/${name}`));
  const missing = documents.flatMap((document) =>
    [...readFileSync(join(root, document), "utf8").matchAll(/`([\w./-]+\.(?:tsx?|sql|css))`/g)]
      .map((match) => match[1] ?? "")
      .filter((name) => !known(name) && !existsSync(join(root, name)))
      .map((name) => `${document}: ${name}`),
  );
  expect(missing).toEqual([]);
  const parts: string[] = [
    ...readFileSync(join(root, "web/ui/README.md"), "utf8").matchAll(/^\| (`[^|]*) \|/gm),
  ]
    .flatMap((row) => (row[1] ?? "").split(" "))
    .map((name) => name.replaceAll("`", ""));
  const files = globSync("web/ui/**/*.{ts,tsx}", { cwd: root })
    .filter((path) => !isTest(path))
    .map((path) => path.replace(/^.*\/(.*)\.tsx?$/, "$1"));
  expect(parts.toSorted()).toEqual(files.toSorted());
});
