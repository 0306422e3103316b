import { expect, test as base } from "@playwright/test";
import type { BrowserContext } from "@playwright/test";
import type { Role } from "#contract/auth.ts";
import { theRun } from "./run.ts";
import { startFreshSystem, startStaffedSystem } from "./system.ts";
import type { System } from "./system.ts";

export { expect };

type Watched = {
  /** What the browser complained about in any page of the test. A test that provokes something takes it out. */
  complaints: string[];
};
type On<S extends System> = {
  /** Shared by the tests of one worker: each brings its own people. */
  system: S;
  /** `test.use({ alone: true })`: the file gets a system that no other file's tests use. */
  alone: boolean;
};

/** Tests in a browser that talks to nothing but this system, and says nothing in its console that sounds like an error. */
function testOn<S extends System>(startSystem: () => Promise<S>) {
  return base.extend<Watched, On<S>>({
    launchOptions: [
      async ({ launchOptions }, use) => {
        const { executablePath, env } = theRun().chromium;
        // Whatever a page asks for, nothing leaves this machine.
        const args = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"];
        await use({ ...launchOptions, executablePath, env, args });
      },
      { scope: "worker" },
    ],

    // A different value asks for a different worker.
    alone: [false, { option: true, scope: "worker" }],

    system: [
      // Playwright reads from this very pattern what a fixture needs.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const system = await startSystem();
        await use(system);
        await system.stop();
      },
      // A start is not the test's time, and takes long on a busy machine.
      { scope: "worker", timeout: 120_000 },
    ],

    baseURL: async ({ system }, use) => use(system.server.url),

    storageState: async ({ system }, use) => use(visitor(system)),

    complaints: [
      async ({ context, system }, use, testInfo) => {
        const complaints: string[] = [];
        listenTo(context, system.server.url, complaints);
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

/** On a machine where nothing is yet. */
export const freshTest = testOn(startFreshSystem);

/** On a system with three accounts, of which one is signed in: `test.use({ as: "staff" })`. */
export const test = staffedTest({ connected: true });

/** The same without a mail server: accounts are set up on the screen. */
export const unconnectedTest = staffedTest({ connected: false });

function staffedTest(options: { connected: boolean }) {
  const start = () => startStaffedSystem(theRun().postgresUrl, options);
  return testOn(start).extend<{ as: Role | "nobody" }>({
    as: ["admin", { option: true }],
    storageState: async ({ system, as }, use) => {
      await use({ ...visitor(system), cookies: as === "nobody" ? [] : [sessionCookie(system.cookies[as])] });
    },
  });
}

/** A browser that was never here, but for one choice: the theme is the system's, which a test can change at any time. */
function visitor({ server }: System) {
  const localStorage = [{ name: "ui-theme", value: "system" }];
  return { cookies: [], origins: [{ origin: server.url, localStorage }] };
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

/** Empties the list and returns what is in it beyond calls and files that a server which is down could not answer. */
export function unexplained(complaints: string[]): string[] {
  const explained =
    /Failed to load resource: (net::ERR_|the server responded with a status of 404)|PartMissingError/;
  return complaints.splice(0).filter((complaint) => !explained.test(complaint));
}

/** Errors in the console, which is also where broken security policies are told, and calls to anywhere else. */
function listenTo(context: BrowserContext, origin: string, complaints: string[]): void {
  context.on("console", (message) => {
    if (message.type() !== "error") return;
    // The browser tells of every refused and every unanswered call; what comes of them is the page's to say.
    const ofCall = message.location().url.startsWith(`${origin}/api/`);
    if (ofCall && message.text().startsWith("Failed to load resource:")) return;
    // The recorder of the test itself knocks at the frame of a mail, which is sealed off from every script.
    if (message.text().startsWith("Blocked script execution in 'about:srcdoc'")) return;
    complaints.push(`${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => complaints.push(String(error.error())));
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !/^(data|blob|about):/.test(url)) complaints.push(`asked ${url}`);
  });
}
