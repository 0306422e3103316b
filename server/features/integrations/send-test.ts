import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { addressKind } from "#contract/delivery.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { fullName } from "#contract/text/full-name.ts";
import { address } from "#server/audience/person.ts";
import { recordUpTo } from "#server/db/audit.ts";
import type { Db } from "#server/db/database.ts";
import { compile } from "#server/delivery/content/compile.ts";
import type { LinksFor } from "#server/delivery/content/compiled.ts";
import { sendDirectly } from "#server/delivery/accounts/send-directly.ts";
import { type Transports, transportOf } from "#server/delivery/accounts/open-transports.ts";
import { findAccount } from "#server/features/integrations/queries.ts";
import { readOrganization } from "#server/features/settings/organization.ts";
import type { By } from "#server/http/route.ts";

const MOST = { times: 20, minutes: 10 };
/** The person who asks is waiting for it. */
const TEST_VALID_MS = 3_600_000;

/**
 * Sends one message to the person who asks, through this account and no other, whether it is enabled or not, and reports
 * the outcome. Throws not-found, empty-audience if the person has no address, and too-many-requests.
 */
export async function sendTestMessage(
  db: Db,
  id: number,
  { transports, linksFor }: { transports: Transports; linksFor: LinksFor },
  by: By,
): Promise<{ sent: boolean; message: string }> {
  const account = await findAccount(db, id);
  if (!account) throw refusal("no-such-account");
  const transport = transportOf(transports, account);
  const { channel, name } = account;
  const { rows } = await sql<{ to: string | null; preferencesToken: string }>`
    SELECT ${address[channel]} AS to, u.preferences_token AS "preferencesToken"
    FROM users u WHERE u.id = ${by.user.id}`.execute(db);
  const { to, preferencesToken } = rows[0]!;
  if (!to) throw refusal("no-address-for-test", { kind: addressKind(channel) });
  const entry = { by, action: "account.send-test", subject: { type: "account", id } } as const;
  if (!(await recordUpTo(db, MOST, entry))) throw refusal("too-many-tests", {}, { retryAfter: 60 });
  const { sender } = await readOrganization(db);
  const content = compile(
    {
      title: "Test message",
      subject: "Test message",
      content: `This is a test of ${name}. If you can read it, messages from ${sender.siteName} can reach you.`,
      answers: {},
      channels: [channel],
      attachments: [],
    },
    sender,
    { key: randomUUID(), today: "" },
  );
  const outcome = await sendDirectly(transport, {
    deliveryId: 0,
    attempt: 1,
    address: to,
    name: fullName(by.user),
    content: { compiled: content, attachments: [] },
    values: {},
    links: linksFor(preferencesToken),
    expiresAt: new Date(Date.now() + TEST_VALID_MS),
    urgent: false,
  });
  return outcome.kind === "accepted"
    ? {
        sent: true,
        message: account.simulated
          ? "Sent to the Sandbox. No one received it."
          : `${name} accepted a test to ${addressKind(channel) === "device" ? "your devices" : to}.`,
      }
    : { sent: false, message: outcome.detail };
}
