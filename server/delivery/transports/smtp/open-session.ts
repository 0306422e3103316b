import type { NodemailerError } from "nodemailer/lib/errors";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { Failure } from "../transport.ts";
import { isLoopback } from "./account.ts";
import type { SmtpAccount } from "./account.ts";
import { failure, lost } from "./outcome.ts";
import { Session } from "./session.ts";

/** In milliseconds. */
export type Timeouts = {
  connect: number;
  greeting: number;
  /** From `begun` until a message's content moves, from each of its steps to the next, and then to the outcome. */
  message: number;
  /** For which an open session may lie without work. */
  idle: number;
};

/** Connects, encrypts and signs in within so many milliseconds, or says why not. Never rejects. */
export function openSession(
  account: SmtpAccount,
  timeouts: Timeouts,
  within: number,
): Promise<Session | Failure> {
  const connection = new SMTPConnection({
    host: account.host,
    port: account.port,
    secure: account.tls === "implicit",
    requireTLS: account.tls === "required",
    ignoreTLS: account.tls === "off",
    tls: { rejectUnauthorized: account.verifyCertificate, minVersion: "TLSv1.2" },
    connectionTimeout: timeouts.connect,
    dnsTimeout: timeouts.connect,
    greetingTimeout: timeouts.greeting,
  });
  return new Promise((resolve) => {
    const done = (result: Session | Failure) => {
      clearTimeout(timer);
      connection.off("error", onError);
      connection.off("end", onEnd);
      resolve(result);
    };
    const fail = (reason: Failure) => {
      done(reason);
      // What the dying socket still has to say must not become an uncaught error.
      connection.on("error", () => undefined);
      connection.close();
    };
    const onError = (error: NodemailerError) => fail(failure(error, "opening"));
    const onEnd = () => fail(lost("opening", "connection_lost", "The server closed the connection"));
    const timer = setTimeout(
      () => fail(lost("opening", "timeout", "The server did not answer in time")),
      within,
    );
    connection.on("error", onError);
    connection.on("end", onEnd);
    connection.connect((error) => {
      if (error) return onError(error);
      const extensions = String(connection.lastServerResponse);
      const ready = () => done(new Session(connection, extensions));
      const { login } = account;
      if (login === undefined) return ready();
      const problem = loginProblem(account, connection);
      if (problem !== undefined)
        return fail({ kind: "misconfigured", code: "login_impossible", detail: problem });
      connection.login({ user: login.user, pass: login.password }, (refused) =>
        refused ? onError(refused) : ready(),
      );
    });
  });
}

/** Why the password should not or cannot be shown to this server. */
function loginProblem(account: SmtpAccount, connection: SMTPConnection): string | undefined {
  if (!connection.secure && account.tls !== "off" && !isLoopback(account.host)) {
    return "The connection is not encrypted, so the password was not sent";
  }
  if (!connection.allowsAuth) return "The server offers no login on this connection";
  return undefined;
}
