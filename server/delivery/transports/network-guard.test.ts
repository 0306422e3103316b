import { expect, onTestFinished, test } from "vitest";
import { smtp } from "./smtp/adapter.ts";
import { scriptedServer } from "./smtp/testing/scripted-server.ts";
import { NetworkGuard } from "./network-guard.ts";
import { sendOne } from "./testing/sending.ts";

test.each([
  "127.0.0.1",
  "127.8.9.1",
  "0.0.0.0",
  "10.1.2.3",
  "100.64.0.1",
  "169.254.169.254",
  "172.31.255.255",
  "192.168.1.1",
  "224.0.0.1",
  "255.255.255.255",
  "::1",
  "::",
  "::ffff:127.0.0.1",
  "::ffff:a00:1",
  "::127.0.0.1",
  "64:ff9b::a00:1",
  "64:ff9b:1::7f00:1",
  "2001:0:7f00:1::",
  "2002:7f00:1::",
  "fec0::1",
  "fd00::1",
  "fe80::1",
  "localhost",
])("%s is not connected to", async (host) => {
  expect(await new NetworkGuard().addressOf(host)).toMatchObject({
    refused: "private",
    detail: expect.stringContaining("SMTP_PRIVATE_ADDRESSES"),
  });
});

test.each(["8.8.8.8", "172.32.0.1", "::ffff:8.8.8.8", "2001:4860:4860::8888", "2606:4700::1111"])(
  "%s is",
  async (host) => {
    expect(await new NetworkGuard().addressOf(host)).toBe(host);
  },
);

test("only private addresses that the environment allows are connected to", async () => {
  const guard = new NetworkGuard(["192.168.1.5", "10.0.0.0/8", "127.0.0.1"]);
  expect(await guard.addressOf("10.255.0.1")).toBe("10.255.0.1");
  expect(await guard.addressOf("localhost")).toBe("127.0.0.1");
  expect(await guard.addressOf("192.168.1.6")).toMatchObject({ refused: "private" });
});

test("a name that does not exist gets its own error", async () => {
  expect(await new NetworkGuard().addressOf("mail.invalid")).toMatchObject({ refused: "unknown" });
});

test("an SMTP account from the console reaches this computer only if that is allowed", async () => {
  const server = await scriptedServer({});
  onTestFinished(() => server.close());
  const settings = {
    host: "localhost",
    port: server.port,
    tls: "off",
    fromEmail: "office@maple.example",
    connections: 1,
  };
  const open = (guard: NetworkGuard | null) => {
    const transport = smtp.open(settings, { channel: "email", apiUrl: "", guard });
    onTestFinished(() => transport.close());
    return transport;
  };
  const refused = open(new NetworkGuard());
  expect(await refused.check()).toMatchObject({ ok: false, of: "misconfigured", code: "private_address" });
  expect(await sendOne(refused)).toMatchObject({ kind: "misconfigured" });
  expect(server.sessions()).toBe(0);
  expect(await sendOne(open(new NetworkGuard(["127.0.0.1"])))).toMatchObject({ kind: "accepted" });
  expect(await sendOne(open(null))).toMatchObject({ kind: "accepted" });
});
