import pg from "pg";
import { countIfBroken, KEEP_ALIVE } from "#server/db/database.ts";

type Listener = { stop(): Promise<void> };

type ListenOptions = {
  /** Called for each NOTIFY on the channel. */
  onMessage: (payload: string) => void;
  /** Called after every (re)connection. Notifications in between are lost, so read the tables. */
  onConnected?: () => void;
  onError?: (error: Error) => void;
};

const RETRY_MS = 1000;

/**
 * LISTENs on a separate connection and reconnects automatically. NOTIFY is only a hint that saves waiting for the next
 * poll, so nothing may depend on it.
 */
export function listen(
  url: string,
  channel: string,
  { onMessage, onConnected, onError }: ListenOptions,
): Listener {
  let client: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  const connect = async () => {
    const current = new pg.Client({
      connectionString: url,
      application_name: "porchlight listener",
      connectionTimeoutMillis: 10_000,
      ...KEEP_ALIVE,
    });
    client = current;
    let broken = false;
    const again = (error?: Error) => {
      if (broken || stopped) return;
      broken = true;
      if (error) onError?.(error);
      current.end().catch(() => undefined);
      timer = setTimeout(() => void connect(), RETRY_MS);
    };
    current.on("error", again);
    countIfBroken(current);
    current.on("end", () => again());
    current.on("notification", ({ payload }) => onMessage(payload ?? ""));
    try {
      await current.connect();
      await current.query(`LISTEN ${pg.escapeIdentifier(channel)}`);
      onConnected?.();
    } catch (error) {
      again(error instanceof Error ? error : new Error(String(error)));
    }
  };
  void connect();

  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await client?.end().catch(() => undefined);
    },
  };
}
