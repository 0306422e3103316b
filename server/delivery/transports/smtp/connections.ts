import type { Failure } from "../transport.ts";
import type { SmtpSettings } from "./settings.ts";
import { isLoopback } from "../loopback.ts";
import { openConnection } from "./open-connection.ts";
import type { Timeouts } from "./open-connection.ts";
import type { SmtpConnection } from "./connection.ts";

/** How long a server may take to answer QUIT, in milliseconds. */
const GOODBYE = 1000;

/** The idle open connections of one account, ready for the next message. */
export class SmtpConnections {
  readonly #settings: SmtpSettings;
  readonly #timeouts: Timeouts;
  readonly #verifyCertificate: boolean;
  readonly #idle = new Map<SmtpConnection, NodeJS.Timeout>();

  /** `verifyCertificate`: by default anywhere but on this computer, where a certificate proves nothing. */
  constructor(settings: SmtpSettings, timeouts: Timeouts, verifyCertificate = !isLoopback(settings.host)) {
    this.#settings = settings;
    this.#timeouts = timeouts;
    this.#verifyCertificate = verifyCertificate;
  }

  open(within = this.#timeouts.connect + this.#timeouts.greeting): Promise<SmtpConnection | Failure> {
    return openConnection(this.#settings, this.#verifyCertificate, this.#timeouts, within);
  }

  /** An idle one, if there is one. */
  take(): SmtpConnection | undefined {
    for (const [connection, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(connection);
      if (connection.open) return connection;
    }
    return undefined;
  }

  /** Keeps it for a while. It must have nothing under way. */
  keep(connection: SmtpConnection): void {
    if (!connection.open) return;
    const timer = setTimeout(() => {
      this.#idle.delete(connection);
      void connection.quit(GOODBYE);
    }, this.#timeouts.idle);
    // An unused open connection must not keep the process alive.
    timer.unref();
    this.#idle.set(connection, timer);
  }

  async close(): Promise<void> {
    const idle = [...this.#idle];
    this.#idle.clear();
    await Promise.all(
      idle.map(([connection, timer]) => {
        clearTimeout(timer);
        return connection.quit(GOODBYE);
      }),
    );
  }
}
