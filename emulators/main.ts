import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { locale } from "#contract/text/locale.ts";
import { settingMeaning, type TransportAdapter } from "#server/delivery/transports/adapter.ts";
import { startEmulator, type EmulatedApi, type Emulator, type Received } from "#emulators/emulator.ts";
import { adapters } from "#server/delivery/transports/registry.ts";

/**
 * Starts the emulator of every provider, says how Porchlight reaches it and what lets an
 * account in, and prints each message that arrives. `npm run emulators -- 5600` chooses the first port.
 */

type Running = {
  adapter: TransportAdapter;
  variable: string;
  api: EmulatedApi;
  emulator: Emulator;
  /** Where it reports what became of a message. */
  webhook?: string;
};

const firstPort = Number(process.argv[2] ?? 4600);
const running: Running[] = [];

for (const adapter of adapters) {
  const path = join(import.meta.dirname, `${adapter.kind}.ts`);
  if (!adapter.api || !existsSync(path)) continue;
  const api = apiOf((await import(path)) as Record<string, unknown>);
  if (!api) throw new Error(`${path} exports no EmulatedApi`);
  const port = firstPort === 0 ? 0 : firstPort + running.length;
  const emulator = await startEmulator(api, port).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") throw error;
    console.error(`Port ${port} is in use. Choose another first port: npm run emulators -- 5600`);
    process.exit(1);
  });
  running.push({ adapter, variable: adapter.api.variable, api, emulator });
}

/** What a file calls `sendgridEmulator`; one that remembers what it did is made by a function. */
function apiOf(exported: Record<string, unknown>): EmulatedApi | undefined {
  const [, found] = Object.entries(exported).find(([name]) => name.endsWith("Emulator")) ?? [];
  return (typeof found === "function" ? found() : found) as EmulatedApi | undefined;
}

console.log(`1. Start Porchlight with the emulators' addresses:

${running.map(({ variable, emulator }) => `${variable}=${emulator.url} \\`).join("\n")}
npm start

2. Under Integrations, add an account with what its emulator accepts:
${running.map(({ adapter, api }) => `\n${adapter.label}\n${settingsOf(adapter, api)}`).join("\n")}

3. Send something. Messages appear here as they arrive.
4. To have an account's messages reported as delivered, or as bounced if the address begins with "bounce", type the
   provider and the account's webhook address here: ${running[0]?.adapter.kind} http://127.0.0.1:3000/webhooks/…

Stop with Ctrl+C.
`);

function settingsOf({ settings }: TransportAdapter, api: EmulatedApi): string {
  const rows = Object.entries(api.settings).map(([name, value]): [string, string] => {
    const field = settings.shape[name];
    return [(field && settingMeaning.get(field)?.label) ?? name, value];
  });
  const width = Math.max(0, ...rows.map(([label]) => label.length));
  const lines = rows.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`);
  if (rows.length === 0) lines.push("  Nothing to fill in.");
  if (api.note) lines.push(`  ${api.note}`);
  return lines.join("\n");
}

createInterface({ input: process.stdin }).on("line", (line) => {
  const [kind = "", url = ""] = line.trim().split(/\s+/);
  const one = running.find(({ adapter }) => adapter.kind === kind.toLowerCase());
  if (!one || !URL.canParse(url)) {
    console.log(`Type one of ${running.map(({ adapter }) => adapter.kind).join(", ")} and an address.`);
  } else if (one.api.report) {
    one.webhook = url;
    console.log(`${one.adapter.label} reports to ${url}`);
  } else console.log(`${one.adapter.label}'s emulator reports only to addresses that a message names.`);
});

async function report({ api, adapter, webhook }: Running, message: Received): Promise<void> {
  if (!api.report || webhook === undefined) return;
  const { url, ...call } = api.report(
    message,
    /^bounce/i.test(message.to) ? "bounced" : "delivered",
    webhook,
  );
  const problem = await fetch(url, { method: "POST", ...call }).then(
    ({ ok, status }) => (ok ? undefined : `answered with status ${status}`),
    () => "can't be reached",
  );
  if (problem) console.log(`${adapter.label}: ${webhook} ${problem}`);
}

setInterval(() => {
  for (const one of running) {
    for (const message of one.emulator.received.splice(0)) {
      const time = new Date().toLocaleTimeString(locale);
      const text = message.text.replaceAll(/\s+/g, " ").slice(0, 80);
      console.log(`${time}  ${one.adapter.label}  ${message.to}  ${text}`);
      void report(one, message);
    }
  }
}, 200);
