import fastify from "fastify";
import { describe, expect, test } from "vitest";
import { replyWithError } from "#server/http/error-reply.ts";

async function replyTo(error: unknown) {
  const app = fastify();
  app.setErrorHandler((thrown, request, reply) => replyWithError(thrown, request, reply));
  app.get("/", () => Promise.reject(error));
  const reply = await app.inject("/");
  await app.close();
  return { status: reply.statusCode, ...reply.json<{ code: string; message: string }>() };
}
const failure = (message: string, code?: string) => Object.assign(new Error(message), code && { code });

describe("a database that is away for a moment is no fault of the server", () => {
  test.each([
    ["refuses", failure("connect ECONNREFUSED", "ECONNREFUSED")],
    ["breaks the connection off", failure("read ECONNRESET", "ECONNRESET")],
    ["cannot be written to", failure("write EPIPE", "EPIPE")],
    ["is not found", failure("getaddrinfo ENOTFOUND db", "ENOTFOUND")],
    ["has vanished", failure("connect ETIMEDOUT", "ETIMEDOUT")],
    ["ended without a word", failure("Connection terminated unexpectedly")],
    ["does not let us in for too long", failure("timeout exceeded when trying to connect")],
    ["was stopped", failure("terminating connection due to administrator command", "57P01")],
    ["lost one of its processes", failure("terminating connection because of crash", "57P02")],
    ["has not answered for a minute", failure("The database has not answered for 50 seconds")],
    ["lost the connection before", failure("Client was closed and is not queryable")],
    [
      "failed on the connection before",
      failure("Client has encountered a connection error and is not queryable"),
    ],
    ["is being left", failure("Cannot use a pool after calling end on the pool")],
    ["is behind a network that is away", failure("connect ENETUNREACH", "ENETUNREACH")],
    ["is behind a balancer that is away", failure("connection failure", "08006")],
    ["takes too long for a statement", failure("canceling statement due to statement timeout", "57014")],
    ["takes too long for a lock", failure("canceling statement due to lock timeout", "55P03")],
    ["is starting", failure("the database system is starting up", "57P03")],
    ["has too many visitors", failure("sorry, too many clients already", "53300")],
    ["handed its part to another one", failure("cannot execute UPDATE in a read-only transaction", "25006")],
  ])("%s", async (_, error) => {
    expect(await replyTo(error)).toMatchObject({ status: 503, code: "unavailable" });
  });
});

test("a full disk is named", async () => {
  expect(await replyTo(failure("could not extend file: No space left on device", "53100"))).toMatchObject({
    status: 503,
    code: "unavailable",
    message: expect.stringContaining("database disk is full"),
  });
});

test.each(["40P01", "40001"])(
  "where two stood in each other's way (%s), one is asked to try again",
  async (code) => {
    expect(await replyTo(failure("deadlock detected", code))).toMatchObject({
      status: 409,
      code: "conflict",
      message: expect.stringContaining("at the same moment. Try again."),
    });
  },
);

test("a fault of ours keeps its words to the log, and claims nothing about what was done", async () => {
  const reply = await replyTo(failure("password of the database: 1234"));
  expect(reply).toMatchObject({ status: 500, code: "internal" });
  expect(reply.message).not.toContain("1234");
  expect(reply.message).toMatch(
    /^Something went wrong on the server\. Check whether it worked before you try/,
  );
});
