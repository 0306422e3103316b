import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Starts Porchlight with the sample property, in a data folder of its own and reachable from this computer alone, beside
 * the providers' emulators. `npm run demo`; PORT chooses another port, PORCHLIGHT_DATA another folder.
 */

const root = join(import.meta.dirname, "..");
const dataDir = process.env["PORCHLIGHT_DATA"] ?? "demo-data";
/** Everyone may know it: the demo holds invented people, and only this computer reaches it. */
const account = { username: "demo", password: "Maple-lantern-28" };

const children: ChildProcess[] = [];
// Also if the server can't start, which ends this process before its own end is noticed.
process.on("exit", () => {
  for (const child of children) child.kill("SIGTERM");
});
const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    stopping.abort();
    for (const child of children) child.kill(signal);
  });
}

console.log("Starting Porchlight with a sample property. The first start takes a minute.");
const emulators = await startEmulators();
const url = await startServer(emulators.variables);
const signedIn = await prepare();
console.log(welcome());
if (signedIn) void reportToNewAccounts(signedIn);

type Output = AsyncIterableIterator<string>;

function start(
  script: string,
  args: string[],
  env: NodeJS.ProcessEnv,
): { child: ChildProcess; lines: Output } {
  const child = spawn(process.execPath, [join(root, script), ...args], {
    cwd: root,
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  children.push(child);
  child.on("exit", (code) => {
    for (const other of children) if (other !== child) other.kill("SIGTERM");
    if (!stopping.signal.aborted) process.exitCode = code ?? 1;
    stopping.abort();
  });
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() };
}

/** The lines up to the one that contains `last`; the rest is printed as it comes, but for the setup code. */
async function linesUntil(lines: Output, last: string): Promise<string[]> {
  const seen: string[] = [];
  for (let next = await lines.next(); !next.done; next = await lines.next()) {
    seen.push(next.value);
    if (next.value.includes(last)) {
      void (async () => {
        for await (const line of { [Symbol.asyncIterator]: () => lines }) {
          if (!line.startsWith("The first account becomes")) console.log(line);
        }
      })();
      return seen;
    }
  }
  return process.exit(1);
}

/** On free ports. What each accepts is in what `npm run emulators` prints. */
async function startEmulators() {
  const { child, lines } = start("emulators/main.ts", ["0"], process.env);
  const printed = (await linesUntil(lines, "Stop with Ctrl+C")).join("\n");
  const variables = Object.fromEntries(
    [...printed.matchAll(/^(\w+_API_URL)=(\S+) \\$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );
  const accepts = printed
    .slice(printed.indexOf("\n\n", printed.indexOf("\n2. ")), printed.indexOf("\n3. "))
    .trim();
  return { variables, accepts, type: (line: string) => child.stdin?.write(`${line}\n`) };
}

/** Without what the environment says about other installations. */
async function startServer(variables: Record<string, string>): Promise<string> {
  const elsewhere = ["DATABASE_URL", "SMTP_URL", "TRUST_PROXY", "PORCHLIGHT_ROLES", "PORCHLIGHT_URL"];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !elsewhere.includes(name)));
  const { lines } = start("server/main.ts", [], {
    LOG_LEVEL: "warn",
    ...env,
    ...variables,
    HOST: "127.0.0.1",
    PORCHLIGHT_DATA: dataDir,
  });
  const [ready = ""] = (await linesUntil(lines, "Porchlight is ready at ")).slice(-1);
  return ready.replace("Porchlight is ready at ", "").trim();
}

type Request = { cookie?: string; body?: object | null };

async function call(method: string, path: string, { cookie = "", body = {} }: Request = {}) {
  const reply = await fetch(new URL(path, url), {
    method,
    headers: { cookie, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = (await reply.json()) as { message?: string };
  if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${answer.message}`);
  const cookies = reply.headers.getSetCookie().map((one) => one.split(";")[0]);
  return { answer, cookie: cookies.join("; ") };
}

/** On the first start: registers the administrator and loads the sample. Null if the password is another one by now. */
async function prepare(): Promise<string | null> {
  const { answer } = await call("GET", "/api/auth/state", { body: null });
  if (!(answer as { firstRun?: boolean }).firstRun) {
    return call("POST", "/api/auth/login", { body: account }).then(
      ({ cookie }) => cookie,
      () => null,
    );
  }
  const person = { firstName: "Robin", lastName: "Demo", email: "robin.demo@example.com" };
  const { cookie } = await call("POST", "/api/auth/register", { body: { ...account, ...person } });
  await call("POST", "/api/sample", { cookie });
  return cookie;
}

function welcome(): string {
  const shown = ["SendGrid", "Twilio", "OneSignal"];
  const sections = emulators.accepts.split("\n\n");
  const some = sections.filter((section) => shown.some((name) => section.startsWith(name)));
  return `
Porchlight with a sample property: ${url}
  Username  ${account.username}
  Password  ${account.password}${signedIn ? "" : "  (or the one you have changed it to)"}

All its people and messages are invented, and every channel is the Sandbox: nothing is sent to anyone.

To see receipts come back, connect an emulated provider under Integrations, with what its emulator accepts, and send
something. Messages appear here as they arrive. Each is reported as delivered, or as bounced if its address begins with
"bounce".

${some.join("\n\n")}

The other providers' emulators are running too. \`npm run emulators\` prints what each accepts.
The data is in ${dataDir}. Delete that folder to start over. Stop with Ctrl+C.
`;
}

type Listed = { accounts: { id: number; kind: string; webhook: { url: string | null } | null }[] };

/** An emulator has no settings page: it is told the webhook of each account that someone connects. */
async function reportToNewAccounts(cookie: string): Promise<void> {
  const told = new Set<number>();
  while (!stopping.signal.aborted) {
    await sleep(2000, undefined, { ref: false });
    const listed = await call("GET", "/api/integrations", { cookie, body: null }).catch(() => null);
    for (const { id, kind, webhook } of (listed?.answer as Listed | undefined)?.accounts ?? []) {
      if (!webhook?.url || told.has(id)) continue;
      told.add(id);
      emulators.type(`${kind} ${webhook.url}`);
    }
  }
}
