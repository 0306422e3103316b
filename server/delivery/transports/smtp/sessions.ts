import type { Failure } from "../transport.ts";
import type { SmtpSettings } from "./settings.ts";
import { isLoopback } from "./settings.ts";
import { openSession } from "./open-session.ts";
import type { Timeouts } from "./open-session.ts";
import type { Session } from "./session.ts";

/** How long a server may take to answer QUIT, in milliseconds. */
const GOODBYE = 1000;

/** The sessions of one account that lie open without work, for the next message to use. */
export class Sessions {
  readonly #settings: SmtpSettings;
  readonly #timeouts: Timeouts;
  readonly #verifyCertificate: boolean;
  readonly #idle = new Map<Session, NodeJS.Timeout>();

  /** `verifyCertificate`: by default anywhere but on this computer, where a certificate proves nothing. */
  constructor(settings: SmtpSettings, timeouts: Timeouts, verifyCertificate = !isLoopback(settings.host)) {
    this.#settings = settings;
    this.#timeouts = timeouts;
    this.#verifyCertificate = verifyCertificate;
  }

  open(within = this.#timeouts.connect + this.#timeouts.greeting): Promise<Session | Failure> {
    return openSession(this.#settings, this.#verifyCertificate, this.#timeouts, within);
  }

  /** One that lies idle, if there is one. */
  take(): Session | undefined {
    for (const [session, timer] of this.#idle) {
      clearTimeout(timer);
      this.#idle.delete(session);
      if (session.open) return session;
    }
    return undefined;
  }

  /** Keeps it for a while. It must have nothing under way. */
  keep(session: Session): void {
    if (!session.open) return;
    const timer = setTimeout(() => {
      this.#idle.delete(session);
      void session.quit(GOODBYE);
    }, this.#timeouts.idle);
    // An open connection nobody uses is no reason for a process to live on.
    timer.unref();
    this.#idle.set(session, timer);
  }

  async close(): Promise<void> {
    const idle = [...this.#idle];
    this.#idle.clear();
    await Promise.all(
      idle.map(([session, timer]) => {
        clearTimeout(timer);
        return session.quit(GOODBYE);
      }),
    );
  }
}
