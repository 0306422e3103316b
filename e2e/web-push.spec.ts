import type { Page, Worker } from "@playwright/test";
import { integrations } from "#contract/calls/integrations.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { profileCalls } from "#contract/calls/profile.ts";
import { expectAccessible } from "./axe.ts";
import { caller } from "./caller.ts";
import { expect, unconnectedTest as test } from "./fixtures.ts";
import { token } from "./people.ts";
import type { StaffedSystem } from "./system.ts";
import { expectToast } from "./toast.ts";

test.use({ alone: true, as: "tenant" });
// One worker runs them all, so that only one system is started.
test.describe.configure({ mode: "default" });

/** The browser under test cannot reach a real push service, so it subscribes to the emulated one. */
async function signUpAtEmulator(page: Page, { push }: StaffedSystem, serverKey: string): Promise<void> {
  const { path, p256dh, auth } = push.service.browser("tess", serverKey);
  await page.addInitScript(
    ({ endpoint, keys, expected }) => {
      const signedUp = () => ({
        endpoint,
        toJSON: () => ({ endpoint, keys }),
        async unsubscribe() {
          localStorage.removeItem("signed-up");
          return true;
        },
      });
      Object.defineProperty(Notification, "permission", { get: () => "granted" });
      Object.assign(PushManager.prototype, {
        async subscribe(options: PushSubscriptionOptionsInit) {
          const key = btoa(String.fromCodePoint(...(options.applicationServerKey as Uint8Array)));
          const base64url = key.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
          if (!options.userVisibleOnly || base64url !== expected)
            throw new DOMException("Not like this", "NotAllowedError");
          localStorage.setItem("signed-up", "yes");
          return signedUp();
        },
        getSubscription: async () => (localStorage.getItem("signed-up") ? signedUp() : null),
      });
    },
    { endpoint: `${push.url}${path}`, keys: { p256dh, auth }, expected: serverKey },
  );
}

/** Passes a message to the page's service worker, as the browser does when its push service delivers one. */
async function deliver(page: Page, data: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const registered = Promise.withResolvers<string>();
  session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
    if (registrations[0]) registered.resolve(registrations[0].registrationId);
  });
  await session.send("ServiceWorker.enable");
  const registrationId = await registered.promise;
  const origin = new URL(page.url()).origin;
  await session.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data });
}

/**
 * A headless browser never shows notifications. Records what its service worker wants to show instead, and simulates a
 * click on it.
 */
async function watch(worker: Worker): Promise<void> {
  await worker.evaluate(`
    self.shown = [];
    self.registration.showNotification = async (title, options) => void self.shown.push({ title, ...options });
    self.clients.openWindow = async (url) => void (self.opened = url);`);
}
const shown = (worker: Worker) => worker.evaluate<unknown[]>("self.shown");
const click = (worker: Worker) =>
  worker.evaluate(`self.dispatchEvent(Object.assign(new ExtendableEvent("notificationclick"), {
    notification: { ...self.shown[0], close: () => void self.shown.shift() },
  }))`);

test("turns notifications on in the profile, shows a message, and opens its notice on a click", async ({
  page,
  context,
  system,
}) => {
  await page.goto("/profile");
  const main = page.getByRole("main");
  await expect(main.getByRole("heading", { name: "Sessions" })).toBeVisible();
  await expect(main.getByRole("region", { name: "Notifications" })).toHaveCount(0);

  const account = await system.call(integrations.create, {
    body: { channel: "push", kind: "web-push", settings: {} },
  });
  await context.grantPermissions(["notifications"], { origin: system.server.url });
  await signUpAtEmulator(page, system, String(account.settings["publicKey"]));
  await page.reload();
  const section = main.getByRole("region", { name: "Notifications" });
  await expect(section.getByText("Off in this browser")).toBeVisible();
  await expectAccessible(page);
  await section.getByRole("button", { name: "Turn on in this browser" }).click();
  await expectToast(page, "Notifications are on");
  await expect(section.getByText("This browser", { exact: true })).toBeVisible();
  await expect(main.getByRole("switch", { name: /^Web Push/ })).toBeChecked();
  await expectAccessible(page);

  const tess = caller(system.server.url, system.cookies.tenant);
  const { id } = await tess(profileCalls.read);
  const title = `Roof ${token()}`;
  await system.call(notifications.send, {
    body: { title, message: "Work starts.", recipients: [{ type: "user", id }], channels: ["push"] },
  });
  // spec 1
  await expect.poll(() => system.push.service.handedOver.length).toBe(1);
  const [data = ""] = system.push.service.handedOver;
  const { notice } = JSON.parse(data) as { notice: number };
  const [worker] = context.serviceWorkers();
  await watch(worker!);
  await deliver(page, data);
  const wanted = {
    title,
    body: "Work starts.",
    tag: `notice-${notice}`,
    icon: "/push-icon.png",
    data: { path: `/?notice=${notice}` },
  };
  await expect.poll(() => shown(worker!)).toEqual([wanted]);
  await click(worker!);
  await expect.poll(() => shown(worker!)).toEqual([]);
  const opened = () => worker!.evaluate<string>("self.opened");
  await expect.poll(opened).toBe(`${system.server.url}/?notice=${notice}`);
  await page.goto(await opened());
  await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
  await expect(page.getByRole("article")).toContainText("Work starts.");

  await page.goto("/profile");
  await section.getByRole("button", { name: /^Turn off/ }).click();
  await expectToast(page, "Notifications are off");
  await expect(section.getByText("Off in this browser")).toBeVisible();
});

test("explains how to allow notifications if the browser blocks them", async ({ page, system }) => {
  const accounts = await system.call(integrations.list);
  if (!accounts.accounts.some(({ kind }) => kind === "web-push"))
    await system.call(integrations.create, { body: { channel: "push", kind: "web-push", settings: {} } });
  await page.goto("/profile");
  const section = page.getByRole("region", { name: "Notifications" });
  await expect(section.getByText("Blocked in this browser")).toBeVisible();
  await expect(section.getByText("Allow them in its settings for this site")).toBeVisible();
  await expect(section.getByRole("button")).toHaveCount(0);
  // An iPhone can only once the console is an app.
  await page.addInitScript(() => {
    Object.defineProperty(navigator, "userAgent", { get: () => "Mozilla/5.0 (iPhone; CPU iPhone OS 26_0)" });
    Reflect.deleteProperty(window, "PushManager");
  });
  await page.reload();
  await expect(section.getByText("Add Porchlight to your Home Screen")).toBeVisible();
  await expectAccessible(page);
  const manifest = await page.locator('link[rel="manifest"]').getAttribute("href");
  expect((await page.request.get(manifest ?? "")).headers()["content-type"]).toContain("manifest+json");
});
