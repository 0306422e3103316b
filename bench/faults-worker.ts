import { setInterval } from "node:timers";
import { connect } from "#server/db/database.ts";
import { recordAccounts } from "#server/delivery/accounts.ts";
import { openTransports } from "#server/delivery/open-transports.ts";
import { adapters } from "#server/delivery/transports/registry.ts";
import { smtpAccount, smtpServers } from "#server/delivery/transports/smtp/environment.ts";
import { smtpSettings } from "#server/delivery/transports/smtp/settings.ts";
import { SmtpTransport } from "#server/delivery/transports/smtp/transport.ts";
import { startWorker } from "#server/delivery/worker.ts";
import { createLog } from "#server/log.ts";

/**
 * A worker process that `npm run faults` kills: the real engine and SMTP, with short intervals. Its arguments are the
 * database's URL and the mail server's port. With a third one, it also logs a line every 5 ms.
 */
const [url = "", port = "", talkative] = process.argv.slice(2);
const log = createLog(talkative ? "info" : "fatal");
if (talkative) setInterval(() => log.info("a line"), 5);

const timeouts = { connect: 2000, greeting: 2000, message: 1000, idle: 10_000 };
const accounts = smtpServers(`smtp://127.0.0.1:${port}`).map((server) => {
  const account = smtpAccount(server, { from: "office@maple.example", connections: 8 });
  const open = (settings: unknown) => new SmtpTransport(smtpSettings.parse(settings), { timeouts });
  return { ...account, adapter: { ...account.adapter, open } };
});
const db = connect(url, { max: 8 });
await recordAccounts(db, accounts);
const transports = openTransports(accounts, adapters);
const worker = startWorker({
  db,
  listenUrl: url,
  transports,
  linksFor: (token) => ({
    unsubscribe: `https://maple.example/u/${token}`,
    preferences: `https://maple.example/p/${token}`,
  }),
  log,
  times: { leaseMs: 3000, heartbeatMs: 500, pollMs: 200, reapMs: 500 },
});
process.on("SIGTERM", () => {
  void worker
    .stop()
    .then(() => transports.close())
    .then(() => process.exit(0));
});
