import type { FastifyReply } from "fastify";
import * as z from "zod";
import type { RunProgress } from "#contract/run-progress.ts";
import type { ServerEvent } from "#contract/shell.ts";
import { listen } from "#server/db/listen.ts";
import { PAGES_CHANNEL } from "#server/db/notify-channels.ts";

// A proxy closes a silent connection; a comment line keeps it open and shows which pages are gone.
const HEARTBEAT_MS = 20_000;
// A page that reads slower than it is told takes memory: it is cut off, comes back by itself, and reads again.
const MOST_UNREAD_BYTES = 256 * 1024;
// Only tabs that are seen listen. More than this of one session is no person.
const MOST_OF_A_SESSION = 20;
// A run that settles thousands a second would flood the pages; they see its newest state this often.
const APART_MS = { run: 1000, notifications: 250, schedules: 250, providers: 250 };

export type EventHub = {
  /** Keeps the reply open and sends it every event. Of a session's too many streams, the oldest ends. */
  subscribe(reply: FastifyReply, subscriber: Subscriber): void;
  stop(): Promise<void>;
};

type Subscriber = {
  /** Names the session, the same for all its streams. */
  session: string;
  /** Asked at each heartbeat, and whenever a session ends; false ends the stream. */
  allowed: () => Promise<boolean>;
};

type Stream = { session: string; send(text: string): void; askAgain(): void; close(): void };

export type EventHubOptions = {
  /** postgres://… of the database whose NOTIFY is passed on. */
  listenUrl: string;
  /** Where a notification's newest run stands; null: it has none. */
  progressOf: (notificationId: number) => Promise<RunProgress | null>;
  onError: (error: unknown) => void;
  heartbeatMs?: number | undefined;
};

/** What NOTIFY says, without what can be read of it. */
const hint = z.discriminatedUnion("type", [
  z.object({ type: z.literal("run"), notificationId: z.number() }),
  z.object({ type: z.literal("notifications") }),
  z.object({ type: z.literal("schedules") }),
  z.object({ type: z.literal("providers") }),
]);
type Hint = z.output<typeof hint>;
/** Not for pages: somewhere a session has ended. */
const sessionsEnded = z.object({ type: z.literal("sessions") });

export function eventHub({
  listenUrl,
  progressOf,
  onError,
  heartbeatMs = HEARTBEAT_MS,
}: EventHubOptions): EventHub {
  /** The oldest first. */
  const streams = new Set<Stream>();
  /** Of what was told a moment ago, what is to be told next. */
  const resting = new Map<string, Hint | null>();
  const timers = new Set<NodeJS.Timeout>();
  let stopped = false;

  /** Read once, however many pages are told. */
  const eventOf = async (said: Hint): Promise<ServerEvent> => {
    if (said.type !== "run") return said;
    const progress = await progressOf(said.notificationId).catch((error: unknown) => {
      onError(error);
      return null;
    });
    return { ...said, progress };
  };

  const tell = async (said: Hint) => {
    const line = `data: ${JSON.stringify(await eventOf(said))}\n\n`;
    for (const stream of streams) stream.send(line);
  };

  const pass = (said: Hint) => {
    const subject = said.type === "run" ? `run ${said.notificationId}` : said.type;
    if (resting.has(subject)) {
      resting.set(subject, said);
      return;
    }
    // No one listens, so nothing needs to be read.
    if (streams.size === 0) return;
    resting.set(subject, null);
    void tell(said).then(() => {
      if (stopped) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        const next = resting.get(subject);
        resting.delete(subject);
        if (next) pass(next);
      }, APART_MS[said.type]);
      timers.add(timer);
    });
  };

  const listener = listen(listenUrl, PAGES_CHANNEL, {
    onMessage(payload) {
      let parsed: unknown;
      try {
        parsed = JSON.parse(payload);
      } catch {
        return;
      }
      const said = hint.safeParse(parsed);
      if (said.success) pass(said.data);
      else if (sessionsEnded.safeParse(parsed).success) for (const stream of streams) stream.askAgain();
    },
    // What happened while no one listened: the pages read again.
    onConnected: () => pass({ type: "notifications" }),
    onError,
  });

  return {
    subscribe(reply, { session, allowed }) {
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
        askAgain() {
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
      const heartbeat = setInterval(() => {
        stream.send(": \n\n");
        stream.askAgain();
      }, heartbeatMs);
      stream.send("retry: 2000\n\n");
      streams.add(stream);
      raw.on("close", () => stream.close());
      const ofSession = [...streams].filter((one) => one.session === session);
      for (const surplus of ofSession.slice(0, -MOST_OF_A_SESSION)) surplus.close();
      // The session may have ended between the question whether this call may be made and now.
      stream.askAgain();
    },
    async stop() {
      stopped = true;
      for (const stream of streams) stream.close();
      for (const timer of timers) clearTimeout(timer);
      await listener.stop();
    },
  };
}
