import type { Locator, Page } from "@playwright/test";
import type { Role } from "#contract/calls/auth.ts";
import { png } from "../files.ts";
import { ComposeDialog } from "../compose-dialog.ts";
import { busyWeek } from "./busy-week.ts";
import type { Seeded } from "./seed.ts";

/** One view of the product. It must change nothing on the server. */
export type Shot = {
  /** "templates/editor": its screen, and what is special about it. */
  name: string;
  path: string;
  as?: Role | "nobody";
  /** How to get from the page to what is photographed. */
  act?: (page: Page) => Promise<void>;
  /** What happens to calls: each is answered with an error, or never. */
  server?: "failing" | "silent";
  /** Only what is in view instead of the whole page. */
  inView?: boolean;
  /** In a high contrast theme of Windows. */
  forcedColors?: boolean;
};

const click =
  (name: string | RegExp, role: "button" | "menuitem" | "tab" | "link" = "button") =>
  (page: Page) =>
    page.getByRole(role, { name }).first().click();

const steps =
  (...acts: ((page: Page) => Promise<unknown>)[]) =>
  async (page: Page) => {
    for (const act of acts) await act(page);
  };

/** Changes what the server replies, and opens the page again with it. */
const changed = (path: string, fields: object) => async (page: Page) => {
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...fields } });
  });
  await page.reload();
};

/** Answers a call that must not reach the server. */
const answered =
  (path: string, json: object, status = 200) =>
  async (page: Page) =>
    page.route(`**${path}`, (route) =>
      route.request().method() === "GET" ? route.fallback() : route.fulfill({ status, json }),
    );

const main = (page: Page): Locator => page.getByRole("main");

/** Every screen with rows in it: empty, failing and loading are photographed of each. */
const screens = [
  { name: "dashboard", path: "/" },
  { name: "notifications", path: "/notifications" },
  { name: "templates", path: "/templates" },
  { name: "schedules", path: "/schedules" },
  { name: "calendar", path: "/schedules?view=month" },
  { name: "users", path: "/users" },
  { name: "groups", path: "/users?tab=groups" },
  { name: "blocked", path: "/users?tab=blocked" },
  { name: "properties", path: "/properties" },
  { name: "audit", path: "/settings/audit" },
  { name: "integrations", path: "/integrations?tab=email" },
];

const newSystem = {
  introduced: false,
  people: false,
  channel: false,
  delivered: false,
  canLoadSample: true,
  nothingYet: true,
};
const onNewSystem = changed("/api/dashboard", { firstSteps: newSystem });

/** Photographed before there is any data. */
export const emptyShots: Shot[] = [
  { name: "welcome/proposed", path: "/welcome", act: onNewSystem },
  {
    name: "welcome/typed",
    path: "/welcome",
    act: steps(
      onNewSystem,
      (page) => page.getByLabel("Name", { exact: true }).fill("Maple & Harbor"),
      async (page) => page.getByLabel("Add a logo").setInputFiles([png("logo.png")]),
      (page) => page.getByLabel("Name", { exact: true }).focus(),
    ),
  },
  {
    name: "welcome/invalid",
    path: "/welcome",
    act: steps(
      (page) => page.getByLabel("Name", { exact: true }).fill(""),
      (page) => page.getByLabel("Reply address").fill("ada@"),
      click("Continue"),
    ),
  },
  { name: "welcome/failing", path: "/welcome", server: "failing" },
  { name: "dashboard/new", path: "/", act: onNewSystem },
  {
    name: "dashboard/introduced",
    path: "/",
    act: changed("/api/dashboard", { firstSteps: { ...newSystem, introduced: true } }),
  },
  ...screens.map(({ name, path }) => ({ name: `${name}/empty`, path })),
  { name: "tenant/empty", path: "/", as: "tenant" },
];

export function fullShots(seeded: Seeded): Shot[] {
  const { sent, failed, planned, draft, salma, longest, mei, group, schedule, property, home } = seeded;
  const lists: Shot[] = screens.flatMap(({ name, path }) => [
    { name: `${name}/full`, path },
    { name: `${name}/failing`, path, server: "failing" as const },
    { name: `${name}/loading`, path, server: "silent" as const },
  ]);
  return [
    ...lists,
    ...signedOut,
    { name: "dashboard/table", path: "/", act: click("View as table") },
    { name: "dashboard/forced-colors", path: "/", forcedColors: true },
    { name: "dashboard/user-menu", path: "/", act: click(/your menu$/) },
    {
      name: "dashboard/sidebar",
      path: "/",
      inView: true,
      act: async (page) => {
        const menu = page.getByRole("button", { name: "Menu", exact: true });
        if (await menu.isVisible()) await menu.click();
      },
    },
    { name: "dashboard/offline", path: "/", act: offline },
    { name: "dashboard/sample", path: "/", act: changed("/api/shell", { sampleLoaded: true }) },
    { name: "palette/open", path: "/", act: (page) => page.keyboard.press("Control+k") },
    { name: "palette/found", path: "/", act: palette("mei") },
    { name: "palette/none-found", path: "/", act: palette("xyzzy") },
    { name: "notifications/none-found", path: "/notifications?q=nothing-like-it" },
    { name: "notifications/filter", path: "/notifications", act: click(/^Status/) },
    {
      name: "notifications/discard-unsent",
      path: "/notifications",
      act: async (page) => {
        await page.route("**/api/send-notification", (route) => route.abort());
        await (await filled(page)).send.click();
        await click(/^Discard/)(page);
      },
    },
    { name: "notifications/forced-colors", path: "/notifications", forcedColors: true },
    ...compose,
    { name: "detail/sent", path: `/notifications/${sent}` },
    { name: "detail/long-title", path: `/notifications/${sent + 1}` },
    { name: "detail/right-to-left", path: `/notifications/${sent + 2}` },
    { name: "detail/failed", path: `/notifications/${failed}` },
    { name: "detail/planned", path: `/notifications/${planned}` },
    { name: "detail/draft", path: `/notifications/${draft}` },
    { name: "detail/not-found", path: "/notifications/999999" },
    { name: "detail/failing", path: `/notifications/${sent}`, server: "failing" },
    { name: "detail/loading", path: `/notifications/${sent}`, server: "silent" },
    { name: "detail/forced-colors", path: `/notifications/${sent}`, forcedColors: true },
    {
      name: "detail/person",
      path: `/notifications/${sent}`,
      act: (page) => page.getByRole("table", { name: "Recipients" }).getByRole("link").first().click(),
    },
    { name: "detail/retry", path: `/notifications/${sent}`, act: click(/^Retry/) },
    { name: "detail/report", path: `/notifications/${sent}`, act: click("Download Report") },
    { name: "detail/edit", path: `/notifications/${planned}`, act: click("Edit Notification") },
    { name: "detail/gone-out", path: `/notifications/${sent}`, act: click("Edit Notification") },
    { name: "detail/send-now", path: `/notifications/${planned}`, act: click("Send now") },
    { name: "detail/cancel", path: `/notifications/${planned}`, act: click(/^Cancel/) },
    { name: "detail/delete-draft", path: `/notifications/${draft}`, act: click(/^Delete/) },
    ...templates,
    { name: "schedules/all", path: "/schedules?tab=all" },
    { name: "schedules/forced-colors", path: "/schedules", forcedColors: true },
    { name: "schedules/menu", path: "/schedules", act: click(/^More actions for/) },
    { name: "schedules/panel", path: `/schedules?schedule=${schedule}` },
    { name: "schedules/editor", path: "/schedules", act: click("Create Schedule") },
    {
      name: "schedules/editor-errors",
      path: "/schedules",
      act: async (page) => {
        await click("Create Schedule")(page);
        const dialog = page.getByRole("dialog");
        await dialog.getByRole("textbox", { name: "Name" }).fill("");
        await dialog.getByRole("button", { name: "Create Schedule" }).click();
      },
    },
    { name: "schedules/edit", path: `/schedules?edit=${schedule}` },
    { name: "schedules/run-now", path: `/schedules?schedule=${schedule}`, act: click("Run now") },
    {
      name: "schedules/delete",
      path: `/schedules?schedule=${schedule}`,
      act: (page) => page.getByRole("dialog").getByRole("button", { name: "Delete" }).click(),
    },
    { name: "schedules/calendar-link", path: "/schedules", act: click("Subscribe in a calendar app") },
    {
      name: "schedules/replace-link",
      path: "/schedules",
      act: steps(calendarLink, click("Subscribe in a calendar app"), click("Replace link")),
    },
    {
      name: "schedules/new-link",
      path: "/schedules",
      act: steps(
        calendarLink,
        answered("/api/schedules/calendar-link", {
          createdAt: new Date().toISOString(),
          lastReadAt: null,
          url: `https://porchlight.example.com/calendar/${"Qz7".repeat(14)}.ics`,
        }),
        click("Subscribe in a calendar app"),
        click("Replace link"),
        click("Replace link"),
      ),
    },
    { name: "calendar/week", path: "/schedules?view=week" },
    { name: "calendar/busy-week", path: "/schedules?view=week", act: busyWeek },
    { name: "calendar/busy-month", path: "/schedules?view=month", act: busyWeek },
    { name: "calendar/forced-colors", path: "/schedules?view=month", forcedColors: true },
    {
      name: "calendar/day",
      path: "/schedules?view=month",
      inView: true,
      act: (page) =>
        page
          .getByRole("cell", { name: "Today" })
          .getByRole("button")
          .or(page.locator("button[aria-current=date]"))
          .last()
          .click(),
    },
    { name: "users/long-names", path: "/users?q=maximiliana" },
    { name: "users/none-found", path: "/users?q=nothing-like-it" },
    {
      name: "users/filter",
      path: "/users",
      act: steps(click(/^Property/), (page) => page.getByRole("option", { name: "Maple Court" }).waitFor()),
    },
    { name: "users/import-export", path: "/users", act: click("Import/Export") },
    { name: "users/menu", path: "/users", act: click(/^Actions for/) },
    { name: "users/person", path: `/users?person=${mei}` },
    { name: "users/person-long", path: `/users?person=${longest}` },
    { name: "users/person-right-to-left", path: `/users?person=${salma}` },
    { name: "users/person-forced-colors", path: `/users?person=${mei}`, forcedColors: true },
    { name: "users/credentials", path: `/users?person=${mei}`, act: click("Send credentials") },
    { name: "property", path: `/properties/${property}` },
    {
      name: "property/selected",
      path: `/properties/${property}?view=grid`,
      act: steps(
        (page) =>
          page
            .getByRole("button", { name: "Select floor 2" })
            .click({ timeout: 2000 })
            .catch(() => undefined),
        (page) =>
          page
            .getByRole("checkbox")
            .first()
            .check({ timeout: 2000 })
            .catch(() => undefined),
      ),
    },
    { name: "property/list", path: `/properties/${property}?view=list` },
    { name: "property/unreached", path: `/properties/${property}?view=list&reach=none` },
    { name: "property/home", path: `/properties/${property}?home=${home}` },
    { name: "property/move-in", path: `/properties/${property}?home=${home}`, act: click("Move in") },
    {
      name: "property/move-out",
      path: `/properties/${property}?home=${home}`,
      act: steps(click(/^Actions for/), click("Move out", "menuitem")),
    },
    {
      name: "property/move",
      path: `/properties/${property}?home=${home}`,
      act: steps(click(/^Actions for/), click("Move to another home", "menuitem")),
    },
    { name: "property/add-homes", path: `/properties/${property}`, act: click("Add homes") },
    { name: "property/edit", path: `/properties/${property}`, act: click("Edit Property") },
    { name: "property/gone", path: "/properties/999999" },
    { name: "property/failing", path: `/properties/${property}`, server: "failing" },
    { name: "properties/menu", path: "/properties", act: click(/^Actions for/) },
    {
      name: "properties/merge",
      path: "/properties",
      act: steps(click(/^Actions for/), click("Merge into another", "menuitem")),
    },
    { name: "users/new", path: "/users", act: click("Add User") },
    {
      name: "users/new-errors",
      path: "/users",
      act: steps(click("Add User"), (page) => page.getByRole("dialog").locator("[type=submit]").click()),
    },
    {
      name: "users/edit-long",
      path: `/users?person=${longest}`,
      act: (page) => page.getByRole("button", { name: "Edit", exact: true }).click(),
    },
    {
      name: "users/discard",
      path: "/users",
      act: async (page) => {
        await click("Add User")(page);
        await page.getByRole("textbox", { name: "First name" }).fill("Mei");
        await page.keyboard.press("Escape");
      },
    },
    { name: "users/edit-failing", path: `/users?edit=${mei}`, server: "failing" },
    { name: "users/edit-loading", path: `/users?edit=${mei}`, server: "silent" },
    {
      name: "users/reset-two-factor",
      path: `/users?person=${mei}`,
      act: steps(changed(`/api/users/${mei}`, { twoFactor: true }), click("Reset two-factor")),
    },
    {
      name: "users/delete",
      path: `/users?person=${longest}`,
      act: (page) => page.getByRole("button", { name: "Delete", exact: true }).click(),
    },
    { name: "groups/new", path: "/users?tab=groups", act: click("New Group") },
    {
      name: "groups/new-by-rule",
      path: "/users?tab=groups",
      act: steps(click("New Group"), (page) =>
        page.getByRole("dialog").getByText("By rule", { exact: true }).click(),
      ),
    },
    { name: "groups/members", path: `/users?tab=groups&members=${group}` },
    { name: "groups/menu", path: "/users?tab=groups&q=All+Tenants", act: click(/^Actions for/) },
    {
      name: "groups/edit",
      path: "/users?tab=groups&q=board",
      act: steps(click(/^Actions for/), click("Edit Group", "menuitem")),
    },
    {
      name: "groups/conflict",
      path: "/users?tab=groups&q=board",
      act: async (page) => {
        await steps(click(/^Actions for/), click("Edit Group", "menuitem"))(page);
        const description = page.getByRole("textbox", { name: "Description" });
        await description.fill("Meets on the first Tuesday");
        await page.route("**/api/usergroups/*", async (route) => {
          if (route.request().method() !== "GET")
            return route.fulfill({
              status: 409,
              json: {
                code: "conflict",
                message: "This group was changed in the meantime. Nothing was saved.",
              },
            });
          const response = await route.fetch();
          const json = { ...(await response.json()), updatedAt: new Date().toISOString() };
          return route.fulfill({ response, json });
        });
        await click("Save Changes")(page);
        await page.getByText("What you typed is still here.").waitFor();
      },
    },
    { name: "groups/sync", path: "/users?tab=groups", act: click("Sync User Groups") },
    {
      name: "groups/delete",
      path: "/users?tab=groups&q=board",
      act: steps(click(/^Actions for/), click("Delete Group", "menuitem")),
    },
    { name: "blocked/block", path: "/users?tab=blocked", act: click("Block Address") },
    { name: "blocked/unblock", path: "/users?tab=blocked", act: click(/^Unblock/) },
    ...csv,
    { name: "settings/general", path: "/settings" },
    {
      name: "settings/time-zone",
      path: "/settings",
      act: (page) => page.getByRole("combobox", { name: "Time zone" }).fill("new"),
    },
    {
      name: "settings/remove-sample",
      path: "/settings",
      act: steps(
        changed("/api/sample", {
          loaded: {
            tenants: 48,
            staff: 3,
            groups: 4,
            templates: 5,
            schedules: 3,
            notifications: 31,
            ownNotifications: 2,
            usedTemplates: 1,
          },
        }),
        click("Remove sample property"),
      ),
    },
    { name: "settings/notifications", path: "/settings?tab=notifications" },
    { name: "settings/security", path: "/settings?tab=security" },
    { name: "settings/forced-colors", path: "/settings?tab=security", forcedColors: true },
    { name: "settings/failing", path: "/settings", server: "failing" },
    { name: "settings/loading", path: "/settings", server: "silent" },
    { name: "settings/read-only", path: "/settings", as: "staff" },
    {
      name: "settings/unsaved",
      path: "/settings?tab=security",
      act: async (page) => {
        await page.getByLabel("Minimum password length").fill("7");
        await page.getByRole("switch", { name: "Open registration" }).check();
        await page.getByRole("button", { name: "Save Changes" }).click();
      },
    },
    {
      name: "settings/leave",
      path: "/settings?tab=security",
      act: async (page) => {
        await page.getByRole("switch", { name: "Open registration" }).check();
        await page
          .getByRole("link", { name: "Dashboard" })
          .first()
          .evaluate((link: HTMLElement) => link.click());
      },
    },
    { name: "audit/none-found", path: "/settings/audit?q=nothing-like-it" },
    { name: "integrations/push", path: "/integrations" },
    { name: "integrations/sms", path: "/integrations?tab=sms" },
    { name: "integrations/cards", path: "/integrations?open=new" },
    {
      name: "integrations/one-step-left",
      path: "/integrations?tab=sms",
      act: async (page) => {
        await page.route("**/api/integrations", async (route) => {
          const response = await route.fetch();
          const reply = (await response.json()) as { accounts: { channel: string; source: string }[] };
          const accounts = reply.accounts.map((one) =>
            one.channel === "sms" && one.source === "console"
              ? { ...one, enabled: true, state: "Connected", reason: "The key and the secret work." }
              : one,
          );
          await route.fulfill({ response, json: { ...reply, accounts } });
        });
        await page.reload();
        await main(page).getByText("One step left").first().waitFor();
      },
    },
    { name: "integrations/new", path: "/integrations?tab=email&open=new&kind=resend" },
    {
      name: "integrations/new-errors",
      path: "/integrations?tab=sms&open=new&kind=twilio",
      act: (page) => main(page).getByRole("button", { name: "Save Changes" }).click(),
    },
    { name: "integrations/edit", path: "/integrations?tab=sms", act: click("Edit") },
    {
      name: "integrations/remove",
      path: "/integrations?tab=sms",
      act: steps(click("Edit"), click("Remove")),
    },
    { name: "integrations/read-only", path: "/integrations?tab=sms", as: "staff" },
    { name: "help/full", path: "/help" },
    { name: "help/open", path: "/help", act: (page) => main(page).locator("summary").first().click() },
    { name: "help/search", path: "/help", act: (page) => page.getByRole("searchbox").fill("csv") },
    { name: "help/none-found", path: "/help", act: (page) => page.getByRole("searchbox").fill("xyzzy") },
    { name: "help/forced-colors", path: "/help", forcedColors: true },
    { name: "profile/full", path: "/profile" },
    { name: "profile/failing", path: "/profile", server: "failing" },
    { name: "profile/loading", path: "/profile", server: "silent" },
    { name: "profile/two-factor", path: "/profile", act: click("Set up") },
    {
      name: "profile/password-question",
      path: "/profile",
      act: steps(
        answered("/api/profile/two-factor/app", { code: "password-required", message: "" }, 403),
        click("Set up"),
      ),
    },
    { name: "profile/factors", path: "/profile", act: factors },
    {
      name: "profile/add-passkey",
      path: "/profile",
      act: async (page) => {
        await changed("/api/profile/two-factor", { passkeyOrigin: new URL(page.url()).origin })(page);
        await click("Add passkey")(page);
      },
    },
    { name: "profile/remove-app", path: "/profile", act: steps(factors, click("Remove")) },
    { name: "profile/remove-passkey", path: "/profile", act: steps(factors, click("Remove Work laptop")) },
    { name: "profile/rename-passkey", path: "/profile", act: steps(factors, click("Rename Work laptop")) },
    { name: "profile/new-codes", path: "/profile", act: steps(factors, click("New codes")) },
    {
      name: "profile/recovery-codes",
      path: "/profile",
      act: steps(
        answered("/api/profile/two-factor/recovery-codes", { recoveryCodes: Array(10).fill("ABCDE-FGHJK") }),
        factors,
        click("New codes"),
        click("Make new codes"),
      ),
    },
    { name: "tenant/full", path: "/", as: "tenant" },
    {
      name: "tenant/notice",
      path: "/",
      as: "tenant",
      act: (page) => page.getByRole("main").getByRole("listitem").getByRole("link").first().click(),
    },
    { name: "tenant/failing", path: "/", as: "tenant", server: "failing" },
    { name: "tenant/profile", path: "/profile", as: "tenant" },
    { name: "tenant/help", path: "/help", as: "tenant" },
    { name: "tenant/denied", path: "/users", as: "tenant" },
    { name: "errors/not-found", path: "/attic" },
  ];
}

const signedOut: Shot[] = [
  { name: "sign-in/login", path: "/auth", as: "nobody" },
  { name: "sign-in/errors", path: "/auth", as: "nobody", act: click("Sign In") },
  {
    name: "sign-in/wrong",
    path: "/auth",
    as: "nobody",
    act: async (page) => {
      await page.getByLabel("Username").fill("ada.owner");
      await page.getByLabel("Password", { exact: true }).fill("not-the-password");
      await page.getByRole("button", { name: "Sign In" }).click();
      await page.getByText("Login failed", { exact: true }).waitFor();
    },
  },
  { name: "sign-in/register-closed", path: "/auth", as: "nobody", act: click("Register", "tab") },
  {
    name: "sign-in/first-account",
    path: "/auth",
    as: "nobody",
    act: changed("/api/auth/state", { firstRun: true, registration: "open" }),
  },
  {
    name: "sign-in/set-up-two-factor",
    path: "/",
    act: changed("/api/auth/me", { mustSetUpTwoFactor: true }),
  },
  {
    name: "sign-in/second-step",
    path: "/auth",
    as: "nobody",
    act: async (page) => {
      await answered("/api/auth/login", { secondFactors: ["app", "recovery"] })(page);
      await page.getByLabel("Username").fill("ada.owner");
      await page.getByLabel("Password", { exact: true }).fill("any-password");
      await page.getByRole("button", { name: "Sign In" }).click();
      await page.getByLabel("Code").waitFor();
    },
  },
  { name: "sign-in/expired-password", path: "/", act: changed("/api/auth/me", { passwordExpired: true }) },
  { name: "sign-in/forced-colors", path: "/auth", as: "nobody", forcedColors: true },
  { name: "sign-in/dead-link", path: "/set-password/none", as: "nobody" },
  { name: "sign-in/preferences-dead-link", path: "/u/none", as: "nobody" },
];

const filled = async (page: Page) => {
  const dialog = await new ComposeDialog(page).open();
  await dialog.write({
    title: "Water shut-off on Friday",
    message: "Hello {{first_name}},\n\nThe water in {{property_name}} is off on Friday – “back by noon”.",
    recipients: ["All Tenants"],
    channels: ["Email", "SMS"],
  });
  return dialog;
};

const compose: Shot[] = [
  {
    name: "compose/empty",
    path: "/notifications",
    act: async (page) => void (await new ComposeDialog(page).open()),
  },
  {
    name: "compose/errors",
    path: "/notifications",
    act: async (page) => (await new ComposeDialog(page).open()).send.click(),
  },
  { name: "compose/filled", path: "/notifications", act: async (page) => void (await filled(page)) },
  {
    name: "compose/filled-end",
    path: "/notifications",
    act: async (page) =>
      (await filled(page)).root
        .getByText(/people/)
        .last()
        .scrollIntoViewIfNeeded(),
  },
  {
    name: "compose/test",
    path: "/notifications",
    act: async (page) => {
      const { root } = await filled(page);
      // It sends nothing for real, and leaves no notification.
      await root.getByRole("button", { name: "Send a test to me" }).click();
      await root.getByText("Your profile has no phone number").scrollIntoViewIfNeeded();
    },
  },
  {
    name: "compose/formatted",
    path: "/notifications",
    act: async (page) => {
      const { root, message } = await filled(page);
      await root.getByRole("button", { name: "Format" }).click();
      await root.getByRole("toolbar", { name: "Formatting" }).waitFor();
      await message.press("ControlOrMeta+a");
      await root.getByRole("button", { name: "Bold" }).click();
    },
  },
  {
    name: "compose/picker",
    path: "/notifications",
    act: async (page) => (await new ComposeDialog(page).open()).recipients.fill("ma"),
  },
  {
    name: "compose/homes",
    path: "/notifications",
    act: async (page) => {
      const dialog = await new ComposeDialog(page).open();
      await dialog.choose("Homes");
      await dialog.recipients.fill("harbor");
      await dialog.root.getByRole("button", { name: "Harbor View", exact: true }).click();
      await dialog.root.getByRole("checkbox", { name: "Floor 1", exact: false }).first().check();
      await dialog.root.getByRole("checkbox", { name: "Floor 2", exact: false }).first().check();
    },
  },
  {
    name: "compose/who-gets-what",
    path: "/notifications",
    act: async (page) => (await filled(page)).root.getByRole("button", { name: "Who gets what" }).click(),
  },
  {
    name: "compose/preview",
    path: "/notifications",
    act: async (page) => (await filled(page)).root.getByRole("button", { name: "Preview" }).click(),
  },
  {
    name: "compose/preview-person",
    path: "/notifications",
    act: steps(filled, click("Preview"), click(/^For /)),
  },
  { name: "compose/options", path: "/notifications", act: steps(filled, click("More options")) },
  {
    name: "compose/discard-draft",
    path: "/notifications",
    act: steps(filled, click("More options"), click("Discard draft", "menuitem")),
  },
  { name: "compose/insert-field", path: "/notifications", act: steps(filled, click("Insert field")) },
  {
    name: "compose/send-many",
    path: "/notifications",
    act: async (page) => {
      await changed("/api/audience/reach", { reached: 1240 })(page);
      const dialog = await filled(page);
      await dialog.counted("1,240 people");
      await dialog.send.click();
    },
  },
  {
    name: "compose/send-uncounted",
    path: "/notifications",
    act: async (page) => {
      await answered("/api/audience/reach", { code: "internal", message: "Something went wrong" }, 500)(page);
      await (await filled(page)).send.click();
    },
  },
  {
    name: "compose/templates",
    path: "/notifications",
    act: async (page) => {
      const dialog = await new ComposeDialog(page).open();
      await dialog.choose("Template");
      await dialog.root.getByRole("combobox", { name: "Message" }).fill("re");
    },
  },
  {
    name: "compose/template",
    path: "/notifications",
    act: async (page) => {
      const dialog = await filled(page);
      await dialog.choose("Template");
      await dialog.template("Rent Reminder");
    },
  },
  {
    name: "compose/scheduled",
    path: "/notifications",
    act: async (page) => {
      const dialog = await filled(page);
      await dialog.choose("Schedule for later");
      await dialog.root.getByRole("button", { name: "Choose a date" }).click();
    },
  },
  {
    name: "compose/scheduled-day-first",
    path: "/notifications",
    act: steps(changed("/api/shell", { dates: { order: "dmy", separator: "." } }), async (page) => {
      const dialog = await filled(page);
      await dialog.choose("Schedule for later");
      await dialog.root.getByRole("button", { name: "Choose a date" }).click();
    }),
  },
  {
    name: "compose/recurring",
    path: "/notifications",
    act: async (page) => (await filled(page)).choose("Recurring"),
  },
  {
    name: "compose/offline",
    path: "/notifications",
    act: async (page) => {
      await filled(page);
      await offline(page);
    },
  },
];

const templates: Shot[] = [
  { name: "templates/none-found", path: "/templates?q=nothing-like-it" },
  { name: "templates/archived", path: "/templates?archived=yes" },
  { name: "templates/menu", path: "/templates", act: click(/^More actions for/) },
  { name: "templates/new", path: "/templates", act: click("New Template") },
  {
    name: "templates/errors",
    path: "/templates",
    act: steps(click("New Template"), (page) =>
      page.getByRole("dialog").getByRole("button", { name: "Create Template" }).click(),
    ),
  },
  { name: "templates/edit-email", path: "/templates", act: click(/^Edit Rent Reminder/) },
  {
    name: "templates/link",
    path: "/templates",
    act: steps(click(/^Edit Rent Reminder/), click(/^Link$/)),
  },
  {
    name: "templates/compare",
    path: "/templates",
    act: steps(
      click(/^Edit Rent Reminder/),
      (page) => page.getByRole("textbox", { name: "Template name" }).fill("Reminder about the rent"),
      click("Compare"),
    ),
  },
  {
    name: "templates/edit-text",
    path: "/templates",
    act: async (page) => {
      await click("New Template")(page);
      const dialog = page.getByRole("dialog", { name: "New Template" });
      await dialog.locator("label", { hasText: /^SMS$/ }).click();
      await dialog
        .getByRole("textbox", { name: "Content" })
        .fill("The water won’t be back before noon, and we’ll text you when it is. Questions? Call us.");
      await dialog.getByText("With plain punctuation").waitFor();
    },
  },
];

const csvRows =
  "firstName,lastName,phone,email\nMei,Good,(415) 555-7001,mei@example.com\nLuis,Bad,12345,nowhere";

const csv: Shot[] = [
  { name: "csv/import", path: "/", act: click("Import CSV") },
  {
    name: "csv/checked",
    path: "/",
    act: async (page) => {
      await click("Import CSV")(page);
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("textbox", { name: "CSV Data" }).fill(csvRows);
      await dialog.getByText("1 to be left out").waitFor();
    },
  },
  { name: "csv/export", path: "/", act: steps(click("Import CSV"), click("Export", "tab")) },
];

const calendarLink = changed("/api/schedules/calendar-link", {
  createdAt: new Date().toISOString(),
  lastReadAt: null,
});

/** With an authenticator app and a passkey. */
const factors = changed("/api/profile/two-factor", {
  app: { since: new Date().toISOString() },
  passkeys: [
    { id: 1, name: "Work laptop", createdAt: new Date().toISOString(), lastUsedAt: null, madeFor: null },
  ],
  recoveryCodesLeft: 8,
});

const palette = (text: string) => async (page: Page) => {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search or jump to" }).fill(text);
  await page.waitForTimeout(1000);
};

/** The server is gone, and the page has noticed. */
async function offline(page: Page): Promise<void> {
  await page.route("**/api/**", (route) => route.abort());
  await page.evaluate(() => dispatchEvent(new Event("offline")));
  await page.getByText("The server cannot be reached.").first().waitFor();
}
