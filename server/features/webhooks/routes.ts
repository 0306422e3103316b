import type { FastifyInstance } from "fastify";
import { refusal } from "#contract/refusals/refusal.ts";
import { recordAuditOnce } from "#server/db/audit.ts";
import type { Db } from "#server/db/database.ts";
import type { Transports } from "#server/delivery/accounts/open-transports.ts";
import { accountOfWebhook, receiveCall } from "#server/delivery/receipts/receive-call.ts";

/** SendGrid's largest batch has three quarters of it. */
const MOST_BYTES = 2 ** 20;

/** The format the database generates. Anything else may not even be valid text for a query. */
const KEY = /^[0-9a-f]{64}$/;

type Webhooks = { db: Db; transports: Transports; publicUrl: URL };

/**
 * Where providers report what became of messages, and what people answered: an address per account that cannot be
 * guessed, without a session. What a call tells is stored and answered at once; workers apply it.
 */
export async function webhooks(app: FastifyInstance, { db, transports, publicUrl }: Webhooks): Promise<void> {
  app.removeAllContentTypeParsers();
  // Signatures are over the bytes as they came.
  app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: MOST_BYTES }, (_request, body, done) =>
    done(null, body),
  );

  app.post<{ Params: { key: string } }>("/webhooks/:key", async (request, reply) => {
    const { key } = request.params;
    const account = KEY.test(key) ? await accountOfWebhook(db, key) : undefined;
    if (!account) throw refusal("no-such-webhook");
    const taken = await receiveCall(db, account, transports, {
      url: new URL(request.url, publicUrl).href,
      headers: request.headers,
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      receivedAt: new Date(),
    });
    if (!("refused" in taken)) {
      if (taken.unread !== undefined && taken.added > 0) {
        const fields = { err: taken.unread, account: account.name };
        request.log.warn(fields, "a provider's event can't be read; it is kept in webhook_calls");
      }
      await taken.confirm?.();
      return reply.status(200).type("text/plain").send("");
    }
    const { refused } = taken;
    if (refused === "none") throw refusal("no-such-webhook");
    const detail = { account: account.name, because: refused };
    request.log.warn({ security: "webhook.refuse", ip: request.ip, ...detail }, "security event");
    await recordAuditOnce(db, {
      by: { user: null, ip: request.ip },
      action: "webhook.refuse",
      subject: { type: "account", id: account.id },
      detail,
    });
    throw refusal("webhook-not-signed");
  });
}
