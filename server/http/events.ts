import type { FastifyReply } from "fastify";
import * as z from "zod";
import type { RunProgress } from "#contract/run-progress.ts";
import { EVENTS_KEPT_MS, type ServerEvent } from "#contract/calls/shell.ts";
import { listen } from "#server/db/listen.ts";
import { PAGES_CHANNEL } from "#server/db/notify-channels.ts";
import { detached } from "#server/telemetry/signals.ts";

// A proxy closes a silent connection; a comment line keeps it open and reveals which pages are gone.
const HEARTBEAT_MS = 20_000;
// A page that reads too slowly takes memory. It is cut off, reconnects automatically and reads again.
const MOST_UNREAD_BYTES = 256 * 1024;
// Only visible tabs listen. More streams than this in one session are not a person.
const MOST_OF_A_SESSION = 20;
// A run that settles thousands per second would flood the pages, so they see its newest state this often. An import
// changes people with each of its calls, and every page then reads its list again.
const APART_MS = {
  run: 1000,
  notifications: 250,
  schedules: 250,
  templates: 250,
  providers: 250,
  settings: 250,
  people: 2000,
  reconnected: 250,
};

export type EventHub = {
  /** Keeps the reply open and sends it every event. If a session has too many streams, the oldest ends. */
  subscribe(reply: FastifyReply, subscriber: Subscriber): void;
  stop(): Promise<void>;
};

type Subscriber = {
  /** Identifies the session, the same for all its streams. */
  session: string;
  /** Checked at each heartbeat, whenever a session ends and after each reconnection; false ends the stream. */
  allowed: () => Promise<boolean>;
  /** Also gets what happened in so many milliseconds before. */
  since?: number;
};

type Stream = { session: string; send(text: string): void; recheckAccess(): void; close(): void };

type EventHubOptions = {
  /** postgres://… of the database whose NOTIFYs are passed on. */
  listenUrl: string;
  /** The state of a notification's run; null: it has none. */
  progressOf: (notificationId: number) => Promise<RunProgress | null>;
  onError: (error: unknown) => void;
  heartbeatMs?: number | undefined;
};

/** The content of a NOTIFY, without what can be read from the tables. */
const hintSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("run"), notificationId: z.number() }),
  z.object({ type: z.literal("notifications") }),
  z.object({ type: z.literal("schedules") }),
  z.object({ type: z.literal("templates") }),
  z.object({ type: z.literal("providers") }),
  z.object({ type: z.literal("settings") }),
  z.object({ type: z.literal("people") }),
]);
type Hint = z.output<typeof hintSchema> | { type: "reconnected" };
const subjectOf = (hint: Hint) => (hint.type === "run" ? `run ${hint.notificationId}` : hint.type);
/** Not for pages: a session has ended somewhere. */
const sessionsEnded = z.object({ type: z.literal("sessions") });

/** A page that missed more runs than this reads its lists again instead. */
const MOST_RUNS_REPEATED = 10;

export function eventHub({
  listenUrl,
  progressOf,
  onError,
  heartbeatMs = HEARTBEAT_MS,
}: EventHubOptions): EventHub {
  /** The oldest first. */
  const streams = new Set<Stream>();
  /** For events sent a moment ago, what to send next. */
  const throttled = new Map<string, Hint | null>();
  /** What was published last, and when, the oldest first, for pages that read their data before their stream opened. */
  const recent = new Map<string, { hint: Hint; at: number }>();
  const timers = new Set<NodeJS.Timeout>();
  let stopped = false;

  /** Read once, however many pages get it. */
  const eventOf = async (hint: Hint): Promise<ServerEvent> => {
    if (hint.type !== "run") return hint;
    const progress = await progressOf(hint.notificationId).catch((error: unknown) => {
      onError(error);
      return null;
    });
    return { ...hint, progress };
  };

  const lineOf = async (hint: Hint) => `data: ${JSON.stringify(await eventOf(hint))}\n\n`;

  const broadcast = async (hint: Hint) => {
    const line = await lineOf(hint);
    for (const stream of streams) stream.send(line);
  };

  const repeat = async (hint: Hint, stream: Stream) => {
    const line = await lineOf(hint);
    if (streams.has(stream)) stream.send(line);
  };

  const remember = (hint: Hint) => {
    const now = performance.now();
    recent.delete(subjectOf(hint));
    recent.set(subjectOf(hint), { hint, at: now });
    for (const [subject, { at }] of recent) {
      if (at > now - EVENTS_KEPT_MS) break;
      recent.delete(subject);
    }
  };

  const publish = (hint: Hint) => {
    const subject = subjectOf(hint);
    remember(hint);
    if (throttled.has(subject)) {
      throttled.set(subject, hint);
      return;
    }
    // No one listens, so nothing needs to be read.
    if (streams.size === 0) return;
    throttled.set(subject, null);
    void broadcast(hint).then(() => {
      if (stopped) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        const next = throttled.get(subject);
        throttled.delete(subject);
        if (next) publish(next);
      }, APART_MS[hint.type]);
      timers.add(timer);
    });
  };

  const askAll = () => {
    for (const stream of streams) stream.recheckAccess();
  };

  const listener = listen(listenUrl, PAGES_CHANNEL, {
    onMessage(payload) {
      let parsed: unknown;
      try {
        parsed = JSON.parse(payload);
      } catch {
        return;
      }
      const hint = hintSchema.safeParse(parsed);
      if (hint.success) publish(hint.data);
      else if (sessionsEnded.safeParse(parsed).success) askAll();
    },
    // Anything may have changed while no one listened, and sessions may have ended.
    onConnected: () => {
      askAll();
      publish({ type: "reconnected" });
    },
    onError,
  });

  return {
    subscribe(reply, { session, allowed, since = 0 }) {
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, {
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-store",
        Connection: "keep-alive",
        "X-Accel-Buffering": "no",
      });
      const stream: Stream = {
        session,
        send(text) {
          raw.write(text);
          if (raw.writableLength > MOST_UNREAD_BYTES) raw.destroy();
        },
        recheckAccess() {
          allowed().then(
            (still) => still || stream.close(),
            () => undefined,
          );
        },
        close() {
          clearInterval(heartbeat);
          streams.delete(stream);
          raw.end();
        },
      };
      // Otherwise its queries would belong to the request's trace for as long as the page is open.
      const heartbeat = detached(() =>
        setInterval(() => {
          stream.send(": \n\n");
          stream.recheckAccess();
        }, heartbeatMs),
      );
      stream.send("retry: 2000\n\n");
      streams.add(stream);
      const from = performance.now() - since;
      const missed = [...recent.values()].filter(({ at }) => at >= from);
      // Each run's figures are a query.
      const many = missed.filter(({ hint }) => hint.type === "run").length > MOST_RUNS_REPEATED;
      for (const { hint } of missed) if (!many || hint.type !== "run") void repeat(hint, stream);
      if (many) void repeat({ type: "notifications" }, stream);
      raw.on("close", () => stream.close());
      const ofSession = [...streams].filter((one) => one.session === session);
      for (const surplus of ofSession.slice(0, -MOST_OF_A_SESSION)) surplus.close();
      // The session may have ended between the permission check and now.
      stream.recheckAccess();
    },
    async stop() {
      stopped = true;
      for (const stream of streams) stream.close();
      for (const timer of timers) clearTimeout(timer);
      await listener.stop();
    },
  };
}
