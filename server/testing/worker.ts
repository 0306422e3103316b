import { type Channel, forEachChannel } from "#contract/delivery.ts";
import type { OutgoingMessage } from "#server/delivery/transports/transport.ts";
import { openTransports } from "#server/delivery/accounts/open-transports.ts";
import { sandbox } from "#server/delivery/transports/sandbox/adapter.ts";
import { FakeTransport } from "#server/delivery/testing/fake-transport.ts";
import { linksFor, quick, quiet } from "#server/delivery/testing/quick-worker.ts";
import { startWorker } from "#server/delivery/worker/worker.ts";
import { oneTimeLinks } from "#server/features/credentials/mint-links.ts";
import { type TestApp, testApp } from "#server/testing/app.ts";
import { until } from "#server/testing/until.ts";

export type WorkingApp = {
  porchlight: TestApp;
  /** What stands in for each channel's Sandbox and keeps what it is given. */
  channels: Record<Channel, FakeTransport>;
  close(): Promise<void>;
};

/** The web role and a worker beside it, on quick times; links lead to https://maple.example. */
export async function testAppWithWorker(options?: Parameters<typeof testApp>[0]): Promise<WorkingApp> {
  const porchlight = await testApp(options);
  const channels = forEachChannel((channel) => new FakeTransport({ channel, kind: "sandbox" }));
  const worker = startWorker({
    db: porchlight.db,
    listenUrl: porchlight.url,
    transports: openTransports(
      [],
      [{ ...sandbox, acceptsAtOnce: undefined, open: (_settings, { channel }) => channels[channel] }],
    ),
    linksFor,
    mintOneTimeLinks: oneTimeLinks(porchlight.db, new URL("https://maple.example/")),
    log: quiet,
    times: quick,
  });
  return {
    porchlight,
    channels,
    async close() {
      await worker.stop();
      await porchlight.close();
    },
  };
}

/** A worker on quick times beside the web role, with its accounts. */
export function workerBeside({ db, url, transports }: TestApp): ReturnType<typeof startWorker> {
  return startWorker({ db, listenUrl: url, transports, linksFor, log: quiet, times: quick });
}

/** The newest message that reached the channel, as soon as there is one. */
export function newestMessage(channel: FakeTransport): Promise<OutgoingMessage> {
  return until(() => {
    const message = channel.received.at(-1);
    if (!message) throw new Error("nothing has arrived");
    return message;
  });
}

/** The token of the one-time link in a message's text; empty where there is none. */
export function passwordTokenIn(text: string): string {
  return /https:\/\/maple\.example\/set-password\/([\w-]{27})(?![\w-])/.exec(text)?.[1] ?? "";
}

/** The same of a link that confirms an address. */
export function confirmationTokenIn(text: string): string {
  return /https:\/\/maple\.example\/confirm-email\/([\w-]{27})(?![\w-])/.exec(text)?.[1] ?? "";
}
