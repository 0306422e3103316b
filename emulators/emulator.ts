import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export type EmulatedRequest = {
  method: string;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** `bytes` as text. */
  body: string;
  bytes: Buffer;
};

/** `calls`: webhook calls to make after responding, such as receipts. */
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

/** One accepted message. `reference`: ours (`referenceOf`), which receipts return. */
export type Received = { to: string; text: string; messageId?: string; reference?: string };

/** Simulated faults, which can be changed at any time. */
export type Faults = {
  /** Processes requests, but closes the connection instead of responding. */
  dropAnswers: boolean;
  /** Delays each response, in milliseconds. */
  delayMs: number;
  /** Responds 429 with this Retry-After, without processing. */
  throttleSeconds: number | null;
  /** Responds 500, without processing. */
  broken: boolean;
  /** Rejects the valid key. */
  refuseKey: boolean;
  /** Recipients to refuse. */
  refused: Set<string>;
};

export type Emulator = {
  /** The base URL, as in `SENDGRID_API_URL`. */
  url: string;
  /** In order of arrival. */
  received: Received[];
  requests: EmulatedRequest[];
  faults: Faults;
  close(): Promise<void>;
};

/** What a provider's behavior reads and changes. */
export type EmulatorState = Pick<Emulator, "received" | "faults">;

/** A provider's behavior. Validates requests as strictly as its documentation allows. */
export type EmulatedApi = {
  /** Valid credentials and other settings for an account, by the adapter's names. */
  settings: Readonly<Record<string, string>>;
  /** What it can't show. */
  note?: string;
  answer(request: EmulatedRequest, state: EmulatorState): EmulatedAnswer | Promise<EmulatedAnswer>;
  /** The body of a 429 or 500 response. */
  refusal(status: 429 | 500): unknown;
  /** A webhook call that reports a message as delivered or bounced. Omitted by providers that report by themselves. */
  report?(message: Received, what: "delivered" | "bounced", url: string): EmulatedCall;
};

const MAX_BYTES = 60 * 2 ** 20;

/** Starts a provider's API on this computer. `port` 0: any free port. */
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
      // A webhook that can't be reached must not break the connection of the response.
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
