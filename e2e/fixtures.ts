import { expect, test as base, type BrowserContext } from "@playwright/test";
import type { Role } from "#contract/calls/auth.ts";
import { theRun } from "./run.ts";
import { startFreshSystem, startStaffedSystem, type System } from "./system.ts";
import { rememberToasts } from "./toast.ts";

export { expect };

type Watched = {
  /** Errors that the browser reported on any page of the test. A test that causes some on purpose removes them. */
  complaints: string[];
};
type On<S extends System> = {
  /** Shared by the tests of one worker, each of which adds its own people. */
  system: S;
  /** `test.use({ alone: true })`: a system that only such files share. A name instead: only those with the same one. */
  alone: boolean | string;
};

/** Tests in a browser that can only reach this system, and that fail if its console reports an error. */
function testOn<S extends System>(startSystem: () => Promise<S>) {
  return base.extend<Watched, On<S>>({
    launchOptions: [
      async ({ launchOptions }, use) => {
        const { executablePath, env } = theRun().chromium;
        // No request leaves this machine.
        const args = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"];
        await use({ ...launchOptions, executablePath, env, args });
      },
      { scope: "worker" },
    ],

    // Playwright starts another worker for a different value.
    alone: [false, { option: true, scope: "worker" }],

    system: [
      // Playwright reads the fixture's dependencies from this pattern.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const system = await startSystem();
        await use(system);
        await system.stop();
      },
      // Starting takes long on a busy machine and should not count against the test.
      { scope: "worker", timeout: 600_000 },
    ],

    baseURL: async ({ system }, use) => use(system.server.url),

    // A new visitor's browser, except that it uses the system's theme, which a test can change at any time. Playwright
    // would open a page of its own to store this, which takes as long as a fifth of what loading Porchlight does.
    context: async ({ context }, use) => {
      await context.addInitScript(() => {
        if (location.protocol === "http:") localStorage.setItem("ui-theme", "system");
      });
      await rememberToasts(context);
      await use(context);
    },

    page: async ({ page }, use) => {
      await use(page);
      // Events may have made the page read again, and a request that the test answers itself is still under way.
      if (!page.isClosed()) await page.unrouteAll({ behavior: "ignoreErrors" });
    },

    complaints: [
      async ({ context, system }, use, testInfo) => {
        const complaints: string[] = [];
        onSignal(context, system.server.url, complaints);
        const before = system.server.output().length;
        await use(complaints);
        if (testInfo.status === testInfo.expectedStatus) return expect(complaints).toEqual([]);
        const body = system.server.output().slice(before);
        await testInfo.attach("server.log", { body, contentType: "text/plain" });
      },
      { auto: true },
    ],
  });
}

/** On a fresh machine. */
export const freshTest = testOn(startFreshSystem);

/** On a system with three accounts, one of them signed in: `test.use({ as: "staff" })`. */
export const test = staffedTest({ connected: true });

/** The same without a mail server. Accounts are added in the console. */
export const unconnectedTest = staffedTest({ connected: false });

function staffedTest(options: { connected: boolean }) {
  const start = () => startStaffedSystem(theRun().databaseServer, options);
  return testOn(start).extend<{ as: Role | "nobody" }>({
    as: ["admin", { option: true }],
    storageState: async ({ system, as }, use) => {
      // The sessions are as old as the system, which may have served other tests for long.
      await system.confirmSessions();
      await use({ cookies: as === "nobody" ? [] : [sessionCookie(system.cookies[as])], origins: [] });
    },
  });
}

function sessionCookie(header: string) {
  const [name = "", value = ""] = header.split("=");
  return {
    name,
    value,
    domain: "127.0.0.1",
    path: "/",
    expires: -1,
    httpOnly: true,
    secure: false,
    sameSite: "Lax" as const,
  };
}

/** Empties the list and returns the complaints that are not about requests to a server that was down. */
export function unexplained(complaints: string[]): string[] {
  const explained =
    /Failed to load resource: (net::ERR_|the server responded with a status of 404)|PartMissingError/;
  return complaints.splice(0).filter((complaint) => !explained.test(complaint));
}

/** Console errors, which include violated security policies, and requests to any other host. */
function onSignal(context: BrowserContext, origin: string, complaints: string[]): void {
  context.on("console", (message) => {
    if (message.type() !== "error") return;
    // The browser reports every call that failed or was refused. Handling those is the page's job.
    const ofCall = message.location().url.startsWith(`${origin}/api/`);
    if (ofCall && message.text().startsWith("Failed to load resource:")) return;
    // Playwright itself tries to run a script in the frame of an email, where scripts are blocked.
    if (message.text().startsWith("Blocked script execution in 'about:srcdoc'")) return;
    complaints.push(`${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob|about):/.test(url)) complaints.push(`asked ${url}`);
  });
}
