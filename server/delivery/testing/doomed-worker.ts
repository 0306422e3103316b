import { connect } from "#server/db/database.ts";
import { openTransports } from "../accounts/open-transports.ts";
import { startWorker } from "../worker/worker.ts";
import { accountFor, linksFor, quick, quiet, shortLease } from "./quick-worker.ts";
import { ACCEPTED, FakeTransport } from "./fake-transport.ts";

/**
 * A worker in a process of its own, for tests that kill it. It tells its parent of each message that reached its
 * provider, at the moment it did, and answers a little later.
 */
const [url = ""] = process.argv.slice(2);
const transport = new FakeTransport({
  behavior: async ({ deliveryId }) => {
    process.send?.(deliveryId);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return ACCEPTED;
  },
});
startWorker({
  db: connect(url),
  listenUrl: url,
  transports: openTransports([accountFor(transport)], []),
  linksFor,
  log: quiet,
  times: { ...quick, ...shortLease },
});
