import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { EMULATED_VERIFICATION_KEY, sendgridCall, sendgridEvent } from "#emulators/sendgrid.ts";
import { integrations } from "#contract/calls/integrations.ts";
import { notifications } from "#contract/calls/notifications.ts";
import { imapServer } from "#server/testing/imap-server.ts";
import { expectAccessible } from "./axe.ts";
import { expect, unconnectedTest as test } from "./fixtures.ts";
import { flooded, intercept } from "./intercept.ts";
import { moveIn, token } from "./people.ts";
import { expectToast, expectUncovered } from "./toast.ts";

// One worker runs them all, so that only one system is started.
test.describe.configure({ mode: "default" });

/** A mail server whose password can be changed. */
async function mailServer() {
  const state = { password: "porch-light", mails: [] as string[] };
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onAuth({ password }, _session, callback) {
      if (password === state.password) return callback(null, { user: "office" });
      callback(Object.assign(new Error("5.7.8 Username and password not accepted"), { responseCode: 535 }));
    },
    onData(stream, _session, callback) {
      buffer(stream).then((bytes) => {
        state.mails.push(bytes.toString("latin1"));
        callback();
      }, callback);
    },
  });
  const listening = server.listen(0, "127.0.0.1");
  await once(listening, "listening");
  const { port } = listening.address() as AddressInfo;
  return { state, port, stop: () => new Promise<void>((resolve) => server.close(() => resolve())) };
}

// spec 5
test("connects a mail server, sees a wrong password pause it, fixes it, and sees the queue drain", async ({
  page,
  system,
}) => {
  const mail = await mailServer();
  const main = page.getByRole("main");
  await page.goto("/integrations?tab=email");
  await expect(main.getByText("No email provider is connected")).toBeVisible();
  await main.getByRole("button", { name: "Connect a provider" }).click();
  // What was in reach stays there: the channel that it was opened from comes first.
  await expect(main.getByRole("heading", { level: 2 }).first()).toHaveText("Email");
  await expectAccessible(page);
  await main.getByRole("link", { name: /^SMTP/ }).click();
  // It may ask for one's own password first, which is in vain for a form that can't be saved.
  const calls: string[] = [];
  page.on("request", (request) => calls.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await main.getByRole("button", { name: "Save Changes" }).click();
  await expect(main.getByText("Host is required")).toBeVisible();
  await expect(main.getByLabel(/^Host/)).toBeFocused();
  await expectAccessible(page);
  expect(calls).not.toContain("POST /api/integrations");

  await main.getByLabel(/^Name/).fill("Office mail");
  await main.getByLabel(/^Host/).fill("127.0.0.1");
  await main.getByLabel(/^Port/).fill(String(mail.port));
  await main.getByLabel(/^Encryption/).selectOption({ label: "None" });
  await main.getByLabel(/^User/).fill("office");
  await main.getByLabel(/^Password/).fill("wrong");
  await main.getByLabel("From email").fill("office@maple.example");
  await main.getByLabel("From name").fill("Maple Court");
  await main.getByRole("button", { name: "Test Connection" }).click();
  // Why it failed stays beside what has to change.
  const failure = main.getByRole("alert").filter({ hasText: "Connection Failed" });
  await expect(failure).toContainText("Username and password not accepted");
  await expectAccessible(page);
  await main.getByLabel(/^Password/).fill(mail.state.password);
  await main.getByRole("button", { name: "Test Connection" }).click();
  // spec 360, 489
  await expectToast(page, "Connection Successful", "signed in as office");
  await expect(failure).toHaveCount(0);
  const save = main.getByRole("button", { name: "Save Changes" });
  // At the lower edge of a phone, a toast would lie over it.
  await page.setViewportSize({ width: 390, height: 844 });
  await save.evaluate((button) => button.scrollIntoView({ block: "end" }));
  await expectUncovered(page, save);
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await save.click();
  await expectToast(page, "Settings Updated");
  // spec 361
  await expect(main.getByText("Connected", { exact: true })).toBeVisible();
  await expectAccessible(page);

  mail.state.password = "porch-light-2";
  const { group, tenants } = await moveIn(system.call, [{}, {}]);
  const body = {
    title: `Roof ${token()}`,
    message: "Work starts.",
    recipients: [group],
    channels: ["email"] as const,
  };
  await system.call(notifications.send, { body });
  await expect(page.getByText("Office mail isn't accepting messages.").first()).toBeVisible();
  await expect(page.getByText("2 messages are waiting")).toBeVisible();
  const pass = await intercept(page, "**/api/integrations/*/check", flooded);
  await page.getByRole("button", { name: "Check again" }).first().click();
  await expectToast(page, "Error", "The cellar is flooded");
  pass();
  // spec 361, 397
  await expect(main.getByText("Username and password not accepted").first()).toBeVisible();
  expect(mail.state.mails).toEqual([]);
  await expectAccessible(page);

  // A broken account's form opens automatically.
  await main.getByLabel(/^Password/).fill(mail.state.password);
  // Another administrator saves first.
  const { accounts } = await system.call(integrations.list);
  const id = accounts.find(({ name }) => name === "Office mail")?.id ?? 0;
  await system.call(integrations.update, { params: { id }, body: { weight: 2, name: "Front desk" } });
  await expect(main.getByRole("heading", { name: "Front desk" })).toBeVisible();
  await expect(main.getByLabel(/^Password/)).toHaveValue(mail.state.password);
  await main.getByRole("button", { name: "Save Changes" }).click();
  await expect(
    main.getByText("Someone else changed this account (Name, Share), or you did in another tab."),
  ).toBeVisible();
  await expectAccessible(page);
  await main.getByLabel("From name").fill("Maple House");
  await main.getByRole("button", { name: "Load the other version" }).click();
  await expect(main.getByLabel(/^Name/)).toHaveValue("Front desk");
  await expect(main.getByLabel("From name")).toHaveValue("Maple Court");
  await main.getByLabel("From name").fill("Maple House");
  await system.call(integrations.update, { params: { id }, body: { name: "Reception" } });
  await expect(main.getByRole("heading", { name: "Reception" })).toBeVisible();
  await main.getByRole("button", { name: "Save Changes" }).click();
  await main.getByRole("button", { name: "Keep mine" }).click();
  await expect(main.getByLabel(/^Name/)).toHaveValue("Reception");
  await expect(main.getByLabel("From name")).toHaveValue("Maple House");
  await main.getByLabel(/^Password/).fill(mail.state.password);
  await main.getByRole("button", { name: "Save Changes" }).click();
  await expectToast(page, "Settings Updated");
  await expect(main.getByText("Connected", { exact: true })).toBeVisible();
  await expect.poll(() => mail.state.mails.length).toBe(tenants.length);
  await expect(page.getByText("isn't accepting messages")).toHaveCount(0);

  const imap = await imapServer();
  await main.getByRole("button", { name: "Edit" }).click();
  await main.getByText("Bounce mailbox").click();
  await main.getByLabel("IMAP host").fill("127.0.0.1");
  await main.getByLabel("IMAP port").fill(String(imap.port));
  await main.getByLabel("IMAP encryption").selectOption({ label: "None" });
  await main.getByLabel("IMAP user").fill(imap.user);
  await main.getByText("Bounce mailbox").click();
  await main.getByRole("button", { name: "Test Connection" }).click();
  // The section opens by itself where something is missing.
  await expect(main.getByText("IMAP password is required")).toBeVisible();
  await main.getByLabel("IMAP password").fill(imap.password);
  await expectAccessible(page);
  await main.getByRole("button", { name: "Test Connection" }).click();
  await expectToast(page, "Connection Successful", `Bounces: signed in to 127.0.0.1 as ${imap.user}`);
  await main.getByRole("button", { name: "Save Changes" }).click();
  await expect(main.getByText("Bounce mailbox Last read")).toBeVisible();
  await expectAccessible(page);
  await imap.close();
  await mail.stop();
});

// spec 391, 439-441
test("texts: the form asks for what the chosen provider needs, and for nothing else", async ({ page }) => {
  const main = page.getByRole("main");
  await page.goto("/integrations?tab=sms");
  await main.getByRole("button", { name: "Connect a provider" }).click();
  await main.getByRole("link", { name: /^Twilio/ }).click();
  await main.getByRole("button", { name: "Save Changes" }).click();
  for (const sentence of ["Account SID", "Auth Token", "From number"].map(
    (label) => `${label} is required`,
  )) {
    await expect(main.getByText(sentence)).toBeVisible();
  }
  await main.getByLabel("Account SID").fill("not a SID");
  await main.getByLabel("Auth Token").fill("secret");
  await main.getByLabel("From number").fill("+15551234567");
  // On a busy machine the next frame can come before React renders the errors.
  const frames = await page.evaluateHandle(() => window.requestAnimationFrame);
  await page.evaluate(() => {
    window.requestAnimationFrame = (callback) => (callback(0), 0);
  });
  await main.getByRole("button", { name: "Save Changes" }).click();
  await expect(main.getByLabel("Account SID")).toBeFocused();
  await page.evaluate((real) => {
    window.requestAnimationFrame = real;
  }, frames);
  await expectAccessible(page);
  await main.getByLabel("Account SID").fill("AC0123456789abcdef0123456789abcdef");
  await main.getByText("Share and rate limit").click();
  await main.getByLabel("Share", { exact: true }).fill("150");
  await main.getByText("Share and rate limit").click();
  await main.getByRole("button", { name: "Save Changes" }).click();
  await expect(main.getByText("A share must be a whole number from 0 to 100")).toBeVisible();
  await main.getByRole("button", { name: "Choose another" }).click();
  await page.getByRole("button", { name: "Leave" }).click();
  await main.getByRole("link", { name: /^Telnyx/ }).click();
  await expect(main.getByLabel("API Key")).toBeVisible();
  await expect(main.getByLabel("From number")).toHaveAttribute("placeholder", /^\+1\d{10}$/);
  await expect(main.getByLabel("Account SID")).toHaveCount(0);
  await expect(main.getByText("is required")).toHaveCount(0);
});

test("shows where a provider reports what became of messages", async ({ page, system }) => {
  const settings = { apiKey: "SG.none", fromEmail: "office@maple.example", fromName: "Maple Court" };
  const account = await system.call(integrations.create, {
    body: { channel: "email", kind: "sendgrid", name: `Bulk ${token()}`, settings },
  });
  // One of several is paused, while the others send.
  const paused = [{ id: account.id, name: account.name, reason: "Unauthorized" }];
  const broken = ["Office texts", "Spare texts"].map((name) => ({
    id: account.id,
    name,
    reason: "Refused.",
  }));
  await page.route("**/api/shell", async (route) => {
    const response = await route.fetch();
    const state = (await response.json()) as { providers: { channel: string }[] };
    const providers = state.providers.map((one) =>
      one.channel === "email"
        ? { ...one, state: "Connected", paused }
        : one.channel === "sms"
          ? { ...one, state: "Error", paused: broken, name: "Office texts", waiting: 2 }
          : one,
    );
    await route.fulfill({ response, json: { ...state, providers } });
  });
  await page.goto("/");
  const attention = page.getByRole("region", { name: "Needs attention" });
  // What messages wait for stands first.
  const dead = attention.getByRole("listitem").first();
  await expect(dead).toContainText("Office texts isn't connected");
  await expect(dead).toContainText("2 messages are waiting for it.");
  await expect(attention.getByRole("listitem").nth(1)).toContainText(`${account.name} is paused`);
  // A provider's own words may end without a full stop.
  await expect(attention.getByText("Unauthorized", { exact: true })).toBeVisible();
  await expect(page.getByText("Office texts and Spare texts aren't accepting messages.")).toBeVisible();
  await attention.getByRole("link", { name: `Open Integrations for ${account.name}` }).click();
  await page.getByText("No report yet. The first one shows here.").click();
  const address = page.getByLabel("Webhook address");
  await expect(address).toHaveValue(new RegExp(`^${system.server.url}/webhooks/[0-9a-f]{64}$`));
  await expect(address).toHaveAccessibleDescription(/Event Webhook/);
  await expect(page.getByText("can't reach this address")).toBeVisible();
  await expectAccessible(page);
  const pass = await intercept(page, "**/api/integrations/*/send-test", flooded);
  await page.getByRole("button", { name: "Send to me" }).click();
  await expect(page.getByText("The cellar is flooded", { exact: true })).toBeVisible();
  pass();
  // What the server's environment sets up has no form, and is tested all the more when it is broken.
  await page.route("**/api/integrations", async (route) => {
    const response = await route.fetch();
    const reply = (await response.json()) as { accounts: { id: number }[] };
    const accounts = reply.accounts
      .filter(({ id }) => id === account.id)
      .map((one) => ({ ...one, source: "environment", state: "Error", reason: "The API key is wrong." }));
    await route.fulfill({ response, json: { ...reply, accounts } });
  });
  await page.goto("/integrations?tab=email");
  const main = page.getByRole("main");
  await expect(main.getByText(`${account.name} isn't accepting messages.`)).toBeVisible();
  await expect(main.getByRole("button", { name: "Test Connection" })).toBeVisible();
  await system.call(integrations.remove, { params: { id: account.id } });
});

test("waits in sight for a provider's first report, and turns green automatically", async ({
  page,
  system,
}) => {
  const settings = { apiKey: "SG.none", fromEmail: "office@maple.example", fromName: "Maple Court" };
  const account = await system.call(integrations.create, {
    body: { channel: "email", kind: "sendgrid", name: `Bulk ${token()}`, settings },
  });
  // The provider itself is out of reach.
  await page.route("**/api/integrations", async (route) => {
    const response = await route.fetch();
    const reply = (await response.json()) as { accounts: { id: number }[] };
    const accounts = reply.accounts.map((one) =>
      one.id === account.id ? { ...one, state: "Connected", reason: "The API key works." } : one,
    );
    await route.fulfill({ response, json: { ...reply, accounts } });
  });
  const main = page.getByRole("main");
  await page.goto("/integrations?open=new");
  await expect(main.getByRole("link", { name: /^SendGrid One step left/ })).toBeVisible();
  await page.goto("/integrations?tab=email");
  const left = main.getByRole("region", { name: "Delivery reports" });
  await expect(left.getByRole("heading", { name: "One step left: delivery reports" })).toBeVisible();
  await expect(
    left.getByText("Ask whoever runs the server to set its public address (PORCHLIGHT_URL)."),
  ).toBeVisible();
  await expect(left.getByRole("link", { name: "Open SendGrid" })).toBeVisible();
  await expectAccessible(page);
  await left.getByLabel("Verification Key").fill(EMULATED_VERIFICATION_KEY);
  await left.getByRole("button", { name: "Save" }).click();
  await expect(left.getByLabel("Verification Key")).toHaveCount(0);
  await expect(left.getByText("Waiting for the first report")).toBeVisible();
  await expect(
    left.getByText("This turns green automatically once SendGrid can reach this server."),
  ).toBeVisible();

  const url = await left.getByLabel("Webhook address").inputValue();
  const message = { to: "ann@example.com", text: "", messageId: "m1", reference: `${token()}-1` };
  const event = sendgridEvent({ message, what: "delivered", eventId: token(), at: new Date() });
  const { headers, body } = sendgridCall(url, [event], new Date());
  expect((await fetch(url, { method: "POST", headers, body })).status).toBe(200);
  await expect(main.getByText("Last received")).toBeVisible();
  await expect(left).toHaveCount(0);
  await system.call(integrations.remove, { params: { id: account.id } });
});
