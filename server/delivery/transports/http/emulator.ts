import { createServer } from "node:http";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export type EmulatedRequest = {
  method: string;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** As text; `bytes` is what came. */
  body: string;
  bytes: Buffer;
};

/** `calls`: made once it has answered, such as receipts. */
export type EmulatedAnswer = {
  status: number;
  headers?: Record<string, string>;
  body?: unknown;
  /** Instead of a body in JSON. */
  text?: string;
  calls?: readonly EmulatedCall[];
};

/** A provider's call to a webhook. */
export type EmulatedCall = { url: string; headers: Record<string, string>; body: string };

/** One message that the provider accepted. `reference`: what the receipts bring back (`referenceOf`). */
export type Received = { to: string; text: string; messageId?: string; reference?: string };

/** What goes wrong; all of it can be changed while it runs. */
export type Faults = {
  /** Does what it is asked and ends the connection instead of answering. */
  dropAnswers: boolean;
  /** Waits so long before it answers, in milliseconds. */
  delayMs: number;
  /** Answers 429 with a Retry-After of so many seconds, and does nothing. */
  throttleSeconds: number | null;
  /** Does nothing, and answers that something broke. */
  broken: boolean;
  /** The key that was right is not anymore. */
  refuseKey: boolean;
  /** Addresses that it refuses. */
  refused: Set<string>;
};

export type Emulator = {
  /** As the provider's variable takes it (`SENDGRID_API_URL`). */
  url: string;
  /** In the order in which they came. */
  received: Received[];
  requests: EmulatedRequest[];
  faults: Faults;
  close(): Promise<void>;
};

/** A provider's own ways. It checks requests as strictly as its documentation allows. */
export type EmulatedApi = {
  /** What an account is set up with to be let in, by the names of the adapter's settings. */
  settings: Readonly<Record<string, string>>;
  answer(
    request: EmulatedRequest,
    emulator: Pick<Emulator, "received" | "faults">,
  ): EmulatedAnswer | Promise<EmulatedAnswer>;
  /** The body of a refusal: of too many requests, or because something broke. */
  refusal(status: 429 | 500): unknown;
  /** What it tells a webhook of a message: that it arrived, or that no one is there. Others take the address from it. */
  report?(message: Received, what: "delivered" | "bounced", url: string): EmulatedCall;
};

const MAX_BYTES = 60 * 2 ** 20;

/** Starts a provider's API on this computer. `port` 0 takes any that is free. */
export async function startEmulator(api: EmulatedApi, port = 0): Promise<Emulator> {
  const received: Received[] = [];
  const requests: EmulatedRequest[] = [];
  const faults: Faults = {
    dropAnswers: false,
    delayMs: 0,
    throttleSeconds: null,
    broken: false,
    refuseKey: false,
    refused: new Set(),
  };
  const sockets = new Set<Socket>();
  const answerTo = (request: EmulatedRequest): EmulatedAnswer | Promise<EmulatedAnswer> => {
    if (faults.throttleSeconds !== null) {
      return {
        status: 429,
        headers: { "retry-after": String(faults.throttleSeconds) },
        body: api.refusal(429),
      };
    }
    if (faults.broken) return { status: 500, body: api.refusal(500) };
    return api.answer(request, { received, faults });
  };
  const serve = async (incoming: IncomingMessage, reply: ServerResponse) => {
    const request = await read(incoming);
    requests.push(request);
    const { status, headers, body, text, calls = [] } = await answerTo(request);
    if (faults.delayMs > 0) await sleep(faults.delayMs);
    if (faults.dropAnswers) return void reply.destroy();
    reply.writeHead(status, {
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    });
    reply.end(body === undefined ? text : JSON.stringify(body));
    for (const { url, ...call } of calls) {
      // Where no one listens, the connection that the answer went over stays as it is.
      await fetch(url, { method: "POST", ...call }).catch(() => undefined);
    }
  };
  const server = createServer((incoming, reply) => void serve(incoming, reply).catch(() => reply.destroy()));
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    requests,
    faults,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

async function read(incoming: IncomingMessage): Promise<EmulatedRequest> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error("The request is too large for any provider");
  }
  const bytes = Buffer.concat(chunks);
  const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://emulator");
  return {
    method: incoming.method ?? "",
    path: pathname,
    query: searchParams,
    headers: incoming.headers,
    body: bytes.toString("utf8"),
    bytes,
  };
}
