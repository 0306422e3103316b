import type { FastifyReply, FastifyRequest } from "fastify";
import { type ServerEvent, serverEvent } from "#contract/shell.ts";
import { listen } from "#server/db/listen.ts";
import { PAGES_CHANNEL } from "#server/db/notify-channels.ts";

// A proxy closes a silent connection; a comment line keeps it open and shows which pages are gone.
const HEARTBEAT_MS = 20_000;
// A run that settles thousands a second would flood the pages; they see its newest state this often.
const PER_SUBJECT_MS = 250;

export type EventHub = {
  /** Keeps the reply open and sends it every event. `allowed` is asked at each heartbeat; false ends the stream. */
  subscribe(request: FastifyRequest, reply: FastifyReply, allowed: () => Promise<boolean>): void;
  stop(): Promise<void>;
};

export function eventHub(
  listenUrl: string,
  onError: (error: Error) => void,
  heartbeatMs = HEARTBEAT_MS,
): EventHub {
  const pages = new Set<(line: string) => void>();
  const closers = new Set<() => void>();
  const held = new Map<string, NodeJS.Timeout>();
  const dirty = new Map<string, ServerEvent>();

  const broadcast = (event: ServerEvent) => {
    const line = `data: ${JSON.stringify(event)}\n\n`;
    for (const send of pages) send(line);
  };

  const pass = (event: ServerEvent) => {
    const subject = event.type === "run" ? `run ${event.notificationId}` : event.type;
    if (held.has(subject)) {
      dirty.set(subject, event);
      return;
    }
    broadcast(event);
    held.set(
      subject,
      setTimeout(() => {
        held.delete(subject);
        const last = dirty.get(subject);
        dirty.delete(subject);
        if (last) pass(last);
      }, PER_SUBJECT_MS),
    );
  };

  const listener = listen(listenUrl, PAGES_CHANNEL, {
    onMessage(payload) {
      let parsed: unknown;
      try {
        parsed = JSON.parse(payload);
      } catch {
        return;
      }
      const event = serverEvent.safeParse(parsed);
      if (event.success) pass(event.data);
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
      for (const close of closers) close();
      for (const timer of held.values()) clearTimeout(timer);
      await listener.stop();
    },
  };
}
