import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, expect, test } from "vitest";
import { settingMeaning } from "#server/delivery/transports/adapter.ts";
import { sendOne } from "#server/delivery/transports/testing/sending.ts";
import { adapters } from "#server/delivery/transports/registry.ts";
import type { WebhookCall } from "#server/delivery/transports/webhook.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

/** `npm run emulators` on ports that are free. */
async function emulators() {
  const script = join(import.meta.dirname, "main.ts");
  const child = spawn(process.execPath, [script, "0"], { stdio: ["pipe", "pipe", "inherit"] });
  ends.push(() => child.kill());
  let printed = "";
  child.stdout.on("data", (text: Buffer) => (printed += text.toString("utf8")));
  await expect.poll(() => printed).toContain("Stop with Ctrl+C");
  return { printed: () => printed, type: (line: string) => child.stdin.write(`${line}\n`) };
}

/** A webhook that keeps what it is called with. */
async function webhook() {
  const calls: WebhookCall[] = [];
  const server = createServer((request, reply) => {
    void buffer(request).then((body) => {
      calls.push({ url: request.url!, headers: request.headers, body, receivedAt: new Date() });
      reply.end();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  ends.push(() => server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/x`, calls };
}

test("every provider is there: a message arrives with the printed settings, and its receipt comes back", async () => {
  const { printed, type } = await emulators();
  for (const { api, label } of adapters) {
    if (!api) continue;
    expect(printed()).toMatch(new RegExp(`^${api.variable}=http://127\\.0\\.0\\.1:\\d+ `, "m"));
    expect(printed()).toContain(`\n${label}\n  `);
  }
  // No browser can be sent here, which no one should have to find out by waiting.
  expect(printed()).toContain("\nWeb Push\n  Nothing to fill in.\n  Shows only the connection test");
  // What SES reports, only Amazon can sign.
  const email = adapters.filter(
    ({ kind, channels, api, webhook: reports }) =>
      channels[0] === "email" && api && reports && kind !== "ses",
  );
  expect(email.length).toBeGreaterThan(2);
  for (const adapter of email) {
    const { url, calls } = await webhook();
    type(`${adapter.kind} ${url}`);
    await expect.poll(printed).toContain(`${adapter.label} reports to ${url}`);
    const [, after = ""] = printed().split(`\n${adapter.label}\n`);
    const [section = ""] = after.split("\n\n");
    const settings = Object.fromEntries(
      Object.entries(adapter.settings.shape).flatMap(([name, field]) => {
        const label = settingMeaning.get(field)!.label;
        const value = new RegExp(`^  ${label} +(\\S.*)$`, "m").exec(section)?.[1];
        return value === undefined ? [] : [[name, value]];
      }),
    );
    const given = { fromEmail: "notices@maple.example", fromName: "Maple", ...settings };
    const [, apiUrl = ""] = new RegExp(`^${adapter.api!.variable}=(\\S+)`, "m").exec(printed()) ?? [];
    const transport = adapter.open(given, { channel: "email", apiUrl, guard: null });
    for (const [address, what] of [
      ["ann@example.com", "delivered"],
      ["bounce@example.com", "bounced"],
    ] as const) {
      calls.length = 0;
      const outcome = await sendOne(transport, { address });
      expect([adapter.kind, outcome]).toEqual([adapter.kind, expect.objectContaining({ kind: "accepted" })]);
      await expect.poll(printed).toContain(`${adapter.label}  ${address}  `);
      await expect.poll(() => calls.length).toBe(1);
      for (const call of calls) {
        expect(await adapter.webhook!.isGenuine(call, given)).toBe(true);
        const { messageId } = outcome as { messageId?: string };
        expect(adapter.webhook!.read(call)).toEqual([
          expect.objectContaining({ what, reference: "run-1-1", messageId }),
        ]);
      }
    }
    await transport.close();
  }
});
