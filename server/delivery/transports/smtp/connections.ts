import type { Failure } from "../transport.ts";
import type { SmtpSettings } from "./settings.ts";
import { openConnection, type Opening, type Timeouts } from "./open-connection.ts";
import type { SmtpConnection } from "./connection.ts";

/** How long a server may take to answer QUIT, in milliseconds. */
const GOODBYE = 1000;

/** The idle open connections of one account, ready for the next message. */
export class SmtpConnections {
  readonly #settings: SmtpSettings;
  readonly #timeouts: Timeouts;
  readonly #opening: Opening;
  readonly #idle = new Map<SmtpConnection, NodeJS.Timeout>();

  constructor(settings: SmtpSettings, opening: Opening) {
    this.#settings = settings;
    this.#timeouts = opening.timeouts;
    this.#opening = opening;
  }

  open(within = this.#timeouts.connect + this.#timeouts.greeting): Promise<SmtpConnection | Failure> {
    return openConnection(this.#settings, this.#opening, within);
  }

  take(): SmtpConnection | undefined {
    for (const [connection, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(connection);
      if (connection.open) return connection;
    }
    return undefined;
  }

  /** Keeps an idle connection for reuse until it times out. */
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
