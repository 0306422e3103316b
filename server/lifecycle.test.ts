import { EventEmitter } from "node:events";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { lifecycle, type Lifecycle } from "#server/lifecycle.ts";

class FakeProcess extends EventEmitter {
  exit = vi.fn<(code: number) => void>();
}

let host: FakeProcess;
let events: string[];
let life: Lifecycle;

beforeEach(() => {
  vi.useFakeTimers();
  host = new FakeProcess();
  events = [];
  const note = (_details: object | string, message = "") => void events.push(message);
  life = lifecycle({ log: { info: note, error: note, fatal: note }, seconds: 30, host });
});
afterEach(() => {
  vi.useRealTimers();
});

const start = (what: string, starting: Promise<unknown> = Promise.resolve()) =>
  life.own(what, starting, async () => events.push(`${what} stopped`));
const stuck = () => life.own("worker", Promise.resolve(), () => new Promise(() => undefined));

test.each(["SIGTERM", "SIGINT"])(
  "%s stops what was started, last first, and exits with 0",
  async (signal) => {
    await start("database");
    await start("web server");
    host.emit(signal);
    await vi.waitFor(() => expect(host.exit).toHaveBeenCalledExactlyOnceWith(0));
    expect(events.filter(Boolean)).toEqual(["web server stopped", "database stopped"]);
  },
);

test("all that works is stopped first, at the same time", async () => {
  const web = Promise.withResolvers<void>();
  const stopRole = (what: string) => async () => events.push(`${what} stopped`);
  await life.run("worker", Promise.resolve(), stopRole("worker"));
  await start("database");
  await life.run("web server", Promise.resolve(), () => web.promise.then(stopRole("web server")));
  host.emit("SIGTERM");
  await vi.waitFor(() => expect(events.filter(Boolean)).toEqual(["worker stopped"]));
  web.resolve();
  await vi.waitFor(() => expect(host.exit).toHaveBeenCalledExactlyOnceWith(0));
  expect(events.filter(Boolean)).toEqual(["worker stopped", "web server stopped", "database stopped"]);
});

test("what cannot be stopped is logged, and the rest stops anyway", async () => {
  await start("database");
  await life.own("worker", Promise.resolve(), () => Promise.reject(new Error("no")));
  host.emit("SIGTERM");
  await vi.waitFor(() => expect(host.exit).toHaveBeenCalledExactlyOnceWith(1));
  expect(events.filter(Boolean)).toEqual(["Stopping the worker failed", "database stopped"]);
});

test("what is still starting when the signal comes is stopped too, and nothing follows it", async () => {
  const starting = Promise.withResolvers();
  const followed = vi.fn<() => void>();
  void start("database", starting.promise).then(followed);
  host.emit("SIGTERM");
  starting.resolve(undefined);
  await vi.waitFor(() => expect(host.exit).toHaveBeenCalledExactlyOnceWith(0));
  expect(events.filter(Boolean)).toEqual(["database stopped"]);
  expect(followed).not.toHaveBeenCalled();
});

test("what did not start is not stopped", async () => {
  await expect(start("worker", Promise.reject(new Error("no")))).rejects.toThrow("no");
  await life.end(1);
  expect(host.exit).toHaveBeenCalledExactlyOnceWith(1);
  expect(events).toEqual([]);
});

test("a signal that arrives twice at once, as with npm, forces nothing", async () => {
  await stuck();
  host.emit("SIGINT");
  host.emit("SIGINT");
  expect(host.exit).not.toHaveBeenCalled();
});

test("a second signal forces the end", async () => {
  await stuck();
  host.emit("SIGTERM");
  vi.advanceTimersByTime(1500);
  host.emit("SIGINT");
  expect(host.exit).toHaveBeenCalledExactlyOnceWith(1);
});

test("a stop that takes too long is forced", async () => {
  await stuck();
  host.emit("SIGTERM");
  vi.advanceTimersByTime(29_000);
  expect(host.exit).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1000);
  expect(host.exit).toHaveBeenCalledExactlyOnceWith(1);
});

test("an error that no one caught is logged and ends the process with 1, cleanly", async () => {
  await start("database");
  host.emit("uncaughtException", new Error("lost"));
  await vi.waitFor(() => expect(host.exit).toHaveBeenCalledExactlyOnceWith(1));
  expect(events).toEqual(["Uncaught error; stopping", "database stopped"]);
});
