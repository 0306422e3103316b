import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";

/** The database named by DATABASE_URL cannot be used; the message says why and how to fix it, without a password. */
export class DatabaseError extends Error {
  override name = "DatabaseError";
}

/** Older versions lack what the queries use; newer ones have not been tried. */
const supported = { from: 15, to: 18 };

/** The server may start later than we do (docker compose, a failover). These errors and 57P03 mean "not yet". */
const notYet = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ETIMEDOUT",
  "57P03",
]);

const fixes: Record<string, string> = {
  "28P01": "Check the user and the password in DATABASE_URL.",
  "28000": "Check the user in DATABASE_URL and the server's pg_hba.conf.",
  "3D000": "Create the database, or name another in DATABASE_URL.",
  ECONNREFUSED: "Check the host and the port in DATABASE_URL, and that PostgreSQL runs there.",
  ENOTFOUND: "Check the host in DATABASE_URL.",
  ERR_TLS_CERT_ALTNAME_INVALID: "Use the name that the server's certificate is for in DATABASE_URL.",
};

/** @param code of the error of a connection */
export function fixOf(code: string): string {
  if (!/^(DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)_/.test(code)) return fixes[code] ?? "";
  return "Add sslmode=verify-full&sslrootcert=FILE to DATABASE_URL, with the certificate of the server's authority in FILE.";
}

/**
 * Waits until the external PostgreSQL at `url` answers, and checks that it is one we can use.
 *
 * @param patience milliseconds to wait for a server that is not up yet
 * @param signal ends the wait with an AbortError
 * @throws {DatabaseError} it does not answer in time, refuses us, or has a version or encoding we cannot use
 */
export async function checkExternalDatabase(
  url: string,
  {
    log,
    patience,
    signal,
  }: { log: { info: (message: string) => void }; patience: number; signal?: AbortSignal },
): Promise<void> {
  const giveUp = Date.now() + patience;
  for (let waiting = false; ; waiting = true) {
    const client = clientOf(url);
    // If the connection breaks meanwhile, the query below fails.
    client.on("error", () => undefined);
    try {
      await client.connect();
      await checkServer(client, url);
      return;
    } catch (error) {
      if (error instanceof DatabaseError) throw error;
      const { code = "", message } = error as NodeJS.ErrnoException;
      const reason = message || code;
      // pg's own error when a host is silent has no code.
      const isWaiting = notYet.has(code) || message === "timeout expired";
      if (!isWaiting || Date.now() > giveUp) {
        throw new DatabaseError(
          `The database ${place(url)} cannot be used: ${reason}. ${fixOf(code)}`.trim(),
        );
      }
      if (!waiting) log.info(`Waiting for the database ${place(url)}: ${reason}`);
    } finally {
      await client.end().catch(() => undefined);
    }
    await sleep(500, undefined, { signal });
  }
}

function clientOf(url: string): Client {
  try {
    return new Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  } catch (error) {
    // A file that the address names (sslrootcert) can't be read.
    throw new DatabaseError(`The database ${place(url)} cannot be used: ${(error as Error).message}.`);
  }
}

async function checkServer(client: Client, url: string): Promise<void> {
  const { rows } = await client.query<{ number: string; version: string; encoding: string }>(
    `select current_setting('server_version_num') as number, current_setting('server_version') as version,
      current_setting('server_encoding') as encoding`,
  );
  const [{ number, version, encoding } = { number: "", version: "", encoding: "" }] = rows;
  const fault = versionFault(Number(number), version) ?? encodingFault(encoding);
  if (fault) throw new DatabaseError(`The database ${place(url)} cannot be used: ${fault}`);
}

/** @param number the `server_version_num`: 150004 for 15.4 */
export function versionFault(number: number, version: string): string | undefined {
  const major = Math.floor(number / 10_000);
  if (major >= supported.from && major <= supported.to) return undefined;
  return `it is PostgreSQL ${version}, and Porchlight needs ${supported.from} to ${supported.to}.`;
}

function encodingFault(encoding: string): string | undefined {
  if (encoding === "UTF8") return undefined;
  return `its encoding is ${encoding}, which can't store every name. Create it with ENCODING 'UTF8'.`;
}

/** The address without secrets. */
function place(url: string): string {
  const parsed = URL.parse(url);
  return parsed ? `${parsed.protocol}//${parsed.host}${parsed.pathname}` : "of DATABASE_URL";
}
