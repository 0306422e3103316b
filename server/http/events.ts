import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import type { RunProgress } from "#contract/run-progress.ts";
import type { ServerEvent } from "#contract/shell.ts";
import { listen } from "#server/db/listen.ts";
import { PAGES_CHANNEL } from "#server/db/notify-channels.ts";

// A proxy closes a silent connection; a comment line keeps it open and shows which pages are gone.
const HEARTBEAT_MS = 20_000;
// A run that settles thousands a second would flood the pages; they see its newest state this often.
const APART_MS = { run: 1000, notifications: 250, providers: 250 };

export type EventHub = {
  /** Keeps the reply open and sends it every event. `allowed` is asked at each heartbeat; false ends the stream. */
  subscribe(request: FastifyRequest, reply: FastifyReply, allowed: () => Promise<boolean>): void;
  stop(): Promise<void>;
};

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
  z.object({ type: z.literal("providers") }),
]);
type Hint = z.output<typeof hint>;

export function eventHub({
  listenUrl,
  progressOf,
  onError,
  heartbeatMs = HEARTBEAT_MS,
}: EventHubOptions): EventHub {
  const pages = new Set<(line: string) => void>();
  const closers = new Set<() => void>();
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
    for (const send of pages) send(line);
  };

  const pass = (said: Hint) => {
    const subject = said.type === "run" ? `run ${said.notificationId}` : said.type;
    if (resting.has(subject)) {
      resting.set(subject, said);
      return;
    }
    // Nobody listens, so nothing needs to be read.
    if (pages.size === 0) return;
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
    },
    // What happened while nobody listened: the pages read again.
    onConnected: () => pass({ type: "notifications" }),
    onError,
  });

  return {
    subscribe(request, reply, allowed) {
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, {
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-store",
        Connection: "keep-alive",
        "X-Accel-Buffering": "no",
      });
      raw.write("retry: 2000\n\n");
      const send = (line: string) => void raw.write(line);
      const heartbeat = setInterval(() => {
        send(": \n\n");
        allowed().then(
          (still) => still || close(),
          () => undefined,
        );
      }, heartbeatMs);
      const close = () => {
        clearInterval(heartbeat);
        pages.delete(send);
        closers.delete(close);
        raw.end();
      };
      pages.add(send);
      closers.add(close);
      request.raw.on("close", close);
    },
    async stop() {
      stopped = true;
      for (const close of closers) close();
      for (const timer of timers) clearTimeout(timer);
      await listener.stop();
    },
  };
}
