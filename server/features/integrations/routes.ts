import { integrations, type Account } from "#contract/calls/integrations.ts";
import { may } from "#contract/permissions.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import type { Db } from "#server/db/database.ts";
import type { SecretBox } from "#server/db/secret-box.ts";
import { checkAccount, checkBounceMailbox } from "#server/delivery/accounts/check-account.ts";
import type { LinksFor } from "#server/delivery/content/compiled.ts";
import type { Transports } from "#server/delivery/accounts/open-transports.ts";
import type { Check } from "#server/delivery/transports/transport.ts";
import { countProviderCheck } from "#server/features/auth/throttle.ts";
import { adapterFor, completeSettings } from "#server/features/integrations/account-settings.ts";
import { providers } from "#server/features/integrations/provider-fields.ts";
import { findAccount, readAccounts } from "#server/features/integrations/queries.ts";
import { createAccount, removeAccount, updateAccount } from "#server/features/integrations/save-account.ts";
import { sendTestMessage } from "#server/features/integrations/send-test.ts";
import { on, type Route, type SessionBy } from "#server/http/route.ts";

type Parts = { db: Db; transports: Transports; secrets: SecretBox; publicUrl: URL; linksFor: LinksFor };

export function integrationsRoutes({ db, transports, secrets, publicUrl, linksFor }: Parts): Route[] {
  const one = async (id: number, { session }: SessionBy): Promise<Account> => {
    const accounts = await readAccounts(db, secrets, { tails: true, webhooks: session.confirmed, publicUrl });
    const found = accounts.find((account) => account.id === id);
    if (!found) throw refusal("no-such-account");
    return found;
  };

  return [
    on(integrations.list, async ({ by: { session } }) => ({
      providers: providers(),
      accounts: await readAccounts(db, secrets, {
        tails: may(session, "integrations:write"),
        webhooks: may(session, "integrations:write") && session.confirmed,
        publicUrl,
      }),
    })),
    on(integrations.webhook, async ({ params: { id }, by }) => {
      const url = (await one(id, by)).webhook?.url;
      if (typeof url !== "string") throw refusal("account-reports-nothing");
      return { url };
    }),
    on(integrations.create, async ({ body, by }) =>
      one(await createAccount(db, { secrets, transports }, body, by), by),
    ),
    on(integrations.update, async ({ params: { id }, body, by }) => {
      await updateAccount(db, { secrets, transports }, id, body, by);
      return one(id, by);
    }),
    on(integrations.remove, async ({ params: { id }, by }) => {
      await removeAccount(db, id, by);
      return { id };
    }),
    on(integrations.check, async ({ params: { id }, user }) => {
      await countProviderCheck(db, user.id);
      const [{ state, reason }, mailbox] = await Promise.all([
        checkAccount(db, id, transports),
        checkBounceMailbox(db, id, transports),
      ]);
      return together({ ok: state === "Connected", reason }, mailbox);
    }),
    on(integrations.tryOut, async ({ body: { id, kind, channel, settings }, user }) => {
      await countProviderCheck(db, user.id);
      const adapter = adapterFor(kind, channel);
      const before = id === undefined ? undefined : await findAccount(db, id);
      if (id !== undefined && before?.source !== "console") {
        throw refusal("no-such-account");
      }
      const transport = transports.draft(kind, channel, completeSettings(adapter, settings, before, secrets));
      if (!transport) throw refusal("no-such-provider");
      try {
        const [{ ok, detail }, mailbox] = await Promise.all([
          transport.check(),
          transport.bounceMailbox?.check() ?? null,
        ]);
        return together({ ok, reason: detail }, mailbox);
      } finally {
        await transport.close();
      }
    }),
    on(integrations.sendTest, async ({ params: { id }, by }) =>
      sendTestMessage(db, id, { transports, linksFor }, by),
    ),
  ];
}

type Tested = { ok: boolean; reason: string };

/** Each says its own sentence. */
function together({ ok, reason }: Tested, mailbox: Check | null): Tested {
  if (!mailbox) return { ok, reason };
  return {
    ok: ok && mailbox.ok,
    reason: `${reason.replace(/\.$/, "")}. ${mailbox.detail.replace(/\.$/, "")}.`,
  };
}
