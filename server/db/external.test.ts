import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { Client } from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { checkExternalDatabase, fixOf, versionFault } from "#server/db/external.ts";
import { databaseUrl } from "#server/testing/database-server.ts";
import { testDatabase, type TestDatabase } from "#server/testing/postgres.ts";

let database: TestDatabase;
let logged: string[] = [];
const log = { info: (message: string) => void logged.push(message) };

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const check = (url: string, patience = 0) => checkExternalDatabase(url, { log, patience });

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test("a database of a supported version is taken", async () => {
  await expect(check(database.url)).resolves.toBeUndefined();
});

test.each([
  [140_012, "14.12"],
  [190_000, "19beta1"],
  [90_624, "9.6.24"],
])("version %i is named and refused", (number, version) => {
  expect(versionFault(number, version)).toBe(`it is PostgreSQL ${version}, and Porchlight needs 15 to 18.`);
});

test.each([150_000, 160_004, 180_004])("version %i is supported", (number) => {
  expect(versionFault(number, "")).toBeUndefined();
});

test("a missing database is named at once, with its fix", async () => {
  const url = databaseUrl(database.url, "nowhere");
  await expect(check(url, 60_000)).rejects.toThrow(
    /\/nowhere cannot be used: .*does not exist.* Create the database/,
  );
});

test("a wrong password is reported at once and not repeated", async () => {
  const url = new URL(database.url);
  url.password = "hunter2";
  const failure = await check(url.href, 60_000).catch((error: Error) => error.message);
  expect(failure).toMatch(/password authentication failed.* Check the user and the password/);
  expect(failure).not.toContain("hunter2");
});

test.each(["DEPTH_ZERO_SELF_SIGNED_CERT", "SELF_SIGNED_CERT_IN_CHAIN", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"])(
  "for a certificate that is refused with %s, the fix is to name its authority",
  (code) => expect(fixOf(code)).toContain("sslrootcert=FILE"),
);

test("a certificate's file that is not there is named at once", async () => {
  const failure = check(`${database.url}?sslmode=verify-full&sslrootcert=/nowhere.pem`, 60_000);
  await expect(failure).rejects.toThrow(/^The database .* cannot be used: ENOENT.*\/nowhere\.pem/);
});

test("an encoding that cannot hold every name is refused", async () => {
  const client = new Client({ connectionString: inject("postgresServer") });
  await client.connect();
  const name = `${new URL(database.url).pathname.slice(1)}_latin`;
  try {
    await client.query(
      `create database ${name} template template0 encoding 'LATIN1' locale_provider libc locale 'C'`,
    );
    await expect(check(databaseUrl(database.url, name))).rejects.toThrow(/encoding is LATIN1/);
  } finally {
    await client.query(`drop database if exists ${name} with (force)`);
    await client.end();
  }
});

test("a server that is not there is waited for, and named in the end", async () => {
  const port = await freePort();
  logged = [];
  await expect(check(`postgres://app:hunter2@127.0.0.1:${port}/app`, 700)).rejects.toThrow(
    new RegExp(
      `^The database postgres://127.0.0.1:${port}/app cannot be used: .*ECONNREFUSED.*that PostgreSQL runs there`,
    ),
  );
  expect(logged).toHaveLength(1);
  expect(logged[0]).toMatch(/^Waiting for the database/);
});

test("a host that is silent is waited for", async () => {
  const silent = createServer();
  await once(silent.listen(0, "127.0.0.1"), "listening");
  const { port } = silent.address() as AddressInfo;
  const waiting = new AbortController();
  logged = [];
  const checking = checkExternalDatabase(`postgres://app@127.0.0.1:${port}/app`, {
    log: { info: (message) => waiting.abort(logged.push(message)) },
    patience: Infinity,
    signal: waiting.signal,
  });
  await expect(checking).rejects.toThrow("aborted");
  expect(logged[0]).toMatch(/^Waiting for the database .*timeout expired/);
  silent.close();
}, 60_000);
