import {
  startEmulator,
  type EmulatedAnswer,
  type EmulatedApi,
  type EmulatedRequest,
  type Faults,
  type Received,
} from "#emulators/emulator.ts";
import { onesignalEmulator } from "#emulators/onesignal.ts";
import { postmarkEmulator } from "#emulators/postmark.ts";
import { sendgridEmulator } from "#emulators/sendgrid.ts";
import { scriptedServer } from "#server/delivery/transports/smtp/testing/scripted-server.ts";
import type { ProviderKind } from "./accounts.ts";

/** How the mail server behaves. */
export type Mood = "fine" | "relay denied" | "no such user" | "busy" | "mute" | "spam filter" | "greylisting";

/** A provider that misbehaves on purpose. What it has accepted is the truth that the books are compared with. */
export type Provider = {
  kind: ProviderKind;
  port: number;
  /** What it accepted, in order. */
  arrived: Received[];
  /** Of the mail server. */
  mood: Mood;
  /** Of the others; `delayMs` of both. */
  faults: Faults;
  /** Of the others: instead of or before the usual answer. Undefined: the usual one. */
  interfere: (request: EmulatedRequest) => EmulatedAnswer | undefined;
  /** Called with what a request brought, before its answer leaves. */
  onArrival: (messages: readonly Received[]) => Promise<void>;
  /** Recipients that it refuses for good. */
  refused: Set<string>;
  /** How many accepted messages got no answer. */
  unanswered: number;
  /** Whether the mail server's answers get through. */
  isCut: () => boolean;
  /** The mail server's open connections. */
  connections: () => ReadonlySet<object>;
  /** On how many of its connections, the client never went on after the server had accepted a message. */
  brokenOff: () => number;
  close: () => Promise<void>;
};

const refusals: Partial<Record<Mood, string>> = {
  "relay denied": "554 5.7.1 Relay access denied",
  "no such user": "550 5.1.1 User unknown",
  busy: "451 4.3.0 Try again later",
};

export function startProvider(kind: ProviderKind): Promise<Provider> {
  if (kind === "smtp") return startMailServer();
  const apis = {
    postmark: () => postmarkEmulator,
    sendgrid: () => sendgridEmulator,
    onesignal: () => onesignalEmulator(),
  };
  return startWebApi(kind, apis[kind]());
}

async function startMailServer(): Promise<Provider> {
  const arrived: Received[] = [];
  /** Connections whose client may not have heard of the last acceptance yet. A next content, or QUIT, shows that it has. */
  const unheard = new Set<number>();
  const greylisted = new Set<string>();
  const server = await scriptedServer({
    content(session) {
      unheard.delete(session);
      return undefined;
    },
    endMs: () => provider.faults.delayMs,
    rcpt: () => refusals[provider.mood] ?? "250 2.1.5 ok",
    end: (text, session) => {
      if (provider.mood === "spam filter") return "554 5.7.1 Rejected as spam";
      const to = /^To: .*?([\w.]+@example\.com)/m.exec(text)?.[1] ?? "nobody";
      if (provider.mood === "greylisting" && !greylisted.has(to)) {
        greylisted.add(to);
        return "451 4.7.1 Greylisted, try again later";
      }
      arrived.push({ to, text });
      unheard.add(session);
      const cut = provider.isCut();
      setTimeout(() => {
        if (cut || provider.isCut() || provider.mood === "mute") provider.unanswered += 1;
      }, provider.faults.delayMs);
      return provider.mood === "mute" ? "silence" : "250 2.0.0 taken";
    },
  });
  const { port, connections, commands, close } = server;
  const brokenOff = () => {
    const quit = new Set(commands.filter((line) => line.endsWith(" QUIT")));
    return [...unheard].filter((session) => !quit.has(`${session} QUIT`)).length;
  };
  const faults = { dropAnswers: false, delayMs: 0, throttleSeconds: null, broken: false, refuseKey: false };
  const refused = new Set<string>();
  const provider: Provider = {
    ...calm(),
    kind: "smtp",
    port,
    arrived,
    faults: { ...faults, refused },
    refused,
    close,
    connections,
    brokenOff,
  };
  return provider;
}

async function startWebApi(kind: ProviderKind, api: EmulatedApi): Promise<Provider> {
  const emulator = await startEmulator({
    ...api,
    async answer(request, running) {
      emulator.requests.length = 0;
      const before = running.received.length;
      const answer = provider.interfere(request) ?? (await api.answer(request, running));
      const brought = running.received.slice(before);
      if (brought.length > 0) await provider.onArrival(brought);
      if (running.faults.dropAnswers) provider.unanswered += brought.length;
      return answer;
    },
  });
  const { received: arrived, faults } = emulator;
  const provider: Provider = {
    ...calm(),
    kind,
    port: Number(new URL(emulator.url).port),
    arrived,
    faults,
    refused: faults.refused,
    close: () => emulator.close(),
  };
  return provider;
}

const calm = () => ({
  mood: "fine" as Mood,
  interfere: () => undefined,
  onArrival: () => Promise.resolve(),
  unanswered: 0,
  isCut: () => false,
  connections: () => new Set<object>(),
  brokenOff: () => 0,
});
