import { isIP, type Socket } from "node:net";
import type { NodemailerError } from "nodemailer/lib/errors";
import SMTPConnection from "nodemailer/lib/smtp-connection";
import type { NetworkGuard } from "../network-guard.ts";
import type { Failure } from "../transport.ts";
import { isLoopback } from "../loopback.ts";
import type { SmtpSettings } from "./settings.ts";
import { lost, notOpened } from "./outcome.ts";
import { SmtpConnection } from "./connection.ts";
import { loginRedactor } from "./redact-login.ts";

/** In milliseconds. */
export type Timeouts = {
  connect: number;
  greeting: number;
  /** From `begun` until the content starts to leave, then for each chunk, then until the outcome. */
  message: number;
  /** How long a connection may sit idle. */
  idle: number;
};

export type Opening = {
  verifyCertificate: boolean;
  timeouts: Timeouts;
  /** Null: any host may be connected to. */
  guard: NetworkGuard | null;
  /** The host of our public address; undefined if others don't know this computer by a name. */
  hostName?: string | undefined;
};

/** Connects, encrypts and authenticates within that many milliseconds, or returns why not. Never rejects. */
export async function openConnection(
  settings: SmtpSettings,
  { verifyCertificate, timeouts, guard, hostName }: Opening,
  within: number,
): Promise<SmtpConnection | Failure> {
  const host = guard ? await guard.addressOf(settings.host) : settings.host;
  if (typeof host !== "string") {
    const { refused, detail } = host;
    return refused === "private"
      ? { kind: "misconfigured", code: "private_address", detail }
      : { kind: "unavailable", code: "unknown_host", detail };
  }
  const connection = new SMTPConnection({
    host,
    // In a container, the computer's own name means nothing to others, and some relays refuse it.
    name: settings.ehloName || hostName || settings.fromEmail.slice(settings.fromEmail.lastIndexOf("@") + 1),
    ...(!isIP(settings.host) && { servername: settings.host }),
    port: settings.port,
    secure: settings.tls === "implicit",
    requireTLS: settings.tls === "required",
    ignoreTLS: settings.tls === "off",
    tls: { rejectUnauthorized: verifyCertificate, minVersion: "TLSv1.2" },
    connectionTimeout: timeouts.connect,
    dnsTimeout: timeouts.connect,
    greetingTimeout: timeouts.greeting,
  });
  const clean = loginRedactor(settings);
  return new Promise((resolve) => {
    const done = (result: SmtpConnection | Failure) => {
      clearTimeout(timer);
      connection.off("error", onError);
      connection.off("end", onEnd);
      resolve(result);
    };
    const fail = (reason: Failure) => {
      done(reason);
      // Prevents an uncaught error while the socket closes.
      connection.on("error", () => undefined);
      connection.close();
    };
    const onError = (error: NodemailerError) => fail(notOpened(error, clean, settings.tls === "implicit"));
    const onEnd = () => fail(lost("opening", "connection_lost", "The server closed the connection"));
    const timer = setTimeout(
      () => fail(lost("opening", "timeout", "The server didn't answer in time")),
      within,
    );
    connection.on("error", onError);
    connection.on("end", onEnd);
    connection.connect((error) => {
      if (error) return onError(error);
      const ehlo = String(connection.lastServerResponse);
      const ready = () =>
        done(
          new SmtpConnection({
            socket: socketOf(connection),
            host: settings.host,
            ehlo,
            encrypted: connection.secure,
            clean,
          }),
        );
      const { user, password } = settings;
      if (user === "") return ready();
      const problem = loginProblem(settings, connection);
      if (problem !== undefined)
        return fail({ kind: "misconfigured", code: "login_impossible", detail: problem });
      connection.login({ user, pass: password }, (refused) => (refused ? onError(refused) : ready()));
    });
  });
}

/**
 * nodemailer connects, encrypts and authenticates; then the socket is ours. For each message, nodemailer would take a
 * round trip more than the protocol asks for, and look for leading dots, which ours don't have. The socket has no public
 * name, so nodemailer's version is fixed.
 */
function socketOf(connection: SMTPConnection): Socket {
  const { _socket: socket } = connection as unknown as { _socket: Socket };
  socket.removeAllListeners("data");
  connection.on("error", () => undefined);
  return socket.setTimeout(0).setNoDelay(true);
}

/** Why the password must not or cannot be sent to this server. */
function loginProblem(settings: SmtpSettings, connection: SMTPConnection): string | undefined {
  if (!connection.secure && settings.tls !== "off" && !isLoopback(settings.host)) {
    return "The connection is not encrypted, so the password was not sent";
  }
  if (!connection.allowsAuth) return "The server doesn't offer a login on this connection";
  return undefined;
}
