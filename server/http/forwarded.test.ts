import { expect, test } from "vitest";
import { testApp } from "#server/testing/app.ts";

const forwarded = { "x-forwarded-for": "203.0.113.7" };

test("a proxy that the settings do not name is said once in the log, and to administrators", async () => {
  const porchlight = await testApp();
  const [admin, staff] = [await porchlight.signedIn("admin"), await porchlight.signedIn("staff")];
  const warned = async (as: typeof admin, headers: Record<string, string> = {}) => {
    const reply = await porchlight.call({ method: "GET", url: "/api/shell", headers }, as);
    return reply.json<{ proxyNotTrusted: boolean }>().proxyNotTrusted;
  };
  expect(await warned(admin)).toBe(false);
  expect(porchlight.logged).toEqual([]);
  expect([await warned(admin, forwarded), await warned(staff, forwarded)]).toEqual([true, false]);
  expect(porchlight.logged.filter(({ level }) => level === 40)).toMatchObject([
    { msg: expect.stringContaining("TRUST_PROXY is not set") },
  ]);
  await porchlight.close();
});

test("one that they name is believed without a word", async () => {
  const porchlight = await testApp({ trustProxy: 1 });
  const admin = await porchlight.signedIn("admin");
  const reply = await porchlight.call({ method: "GET", url: "/api/shell", headers: forwarded }, admin);
  expect(reply.json()).toMatchObject({ proxyNotTrusted: false });
  expect(porchlight.logged).toEqual([]);
  await porchlight.close();
});
