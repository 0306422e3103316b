import { randomUUID } from "node:crypto";
import { addressKind, type Channel } from "#contract/delivery.ts";
import { ownReasonSentence } from "#contract/delivery-reasons.ts";
import type { BodyOf } from "#contract/endpoint.ts";
import { refuse } from "#contract/findings.ts";
import type { audience, TestResult } from "#contract/calls/audience.ts";
import { refusal } from "#contract/refusals/refusal.ts";
import { isolated } from "#contract/text/isolate.ts";
import { fullName } from "#contract/text/full-name.ts";
import { reachPage } from "#server/audience/reach-page.ts";
import { recordUpTo } from "#server/db/audit.ts";
import type { Db } from "#server/db/database.ts";
import { servingAccounts } from "#server/delivery/accounts/accounts.ts";
import { type Transports, transportOf } from "#server/delivery/accounts/open-transports.ts";
import { ownReason } from "#server/delivery/content/reason.ts";
import { sendDirectly } from "#server/delivery/accounts/send-directly.ts";
import { readAttachments } from "#server/delivery/content/attachments.ts";
import { type LinksFor, neededIn } from "#server/delivery/content/compiled.ts";
import { encodedAttachment } from "#server/delivery/content/encoded-attachment.ts";
import type { Organization } from "#server/delivery/runs/start-run.ts";
import type { OutgoingMessage } from "#server/delivery/transports/transport.ts";
import { attachmentsById } from "#server/messages/attachments.ts";
import { compileDraft } from "#server/features/audience/preview.ts";
import { previewPerson } from "#server/features/audience/preview-people.ts";
import type { By } from "#server/http/route.ts";

type Draft = BodyOf<typeof audience.sendTest>;

/** The person who asks is waiting for it. */
const TEST_VALID_MS = 3_600_000;
const MOST = { times: 20, minutes: 10 };

type Parts = Organization & { transports: Transports; linksFor: LinksFor; now: Date };

/**
 * Sends the message as it is written now to the person who is writing it, at their own addresses, and says what became of
 * it on each channel. What is missing shows as [its name]. Throws what is wrong with the text, and too-many-requests.
 */
export async function sendTest(
  db: Db,
  { attachments, ...draft }: Draft,
  { transports, linksFor, sender, ...settings }: Parts,
  by: By & { user: { id: number } },
): Promise<TestResult[]> {
  const attachmentIds = [...new Set(attachments.map(({ id }) => id))];
  const stored = await attachmentsById(db, attachmentIds);
  const { message, found, compiled, filled } = await compileDraft(
    db,
    {
      ...draft,
      title: draft.title.trim(),
      attachments: attachmentIds.flatMap((id) => stored.get(id) ?? []),
      recipients: [],
    },
    { ...settings, sender: { ...sender, smsPrefix: `Test: ${sender.smsPrefix}`.trim() } },
    { key: randomUUID(), mark: "Test: ", attachmentIds },
  );
  refuse(found);
  if (!compiled || message.content.trim() === "") throw refusal("nothing-to-test");
  const me = { type: "user" as const, id: by.user.id };
  const { rows } = await reachPage(db, {
    audience: [me],
    channels: draft.channels,
    only: "all",
    page: 1,
    pageSize: draft.channels.length,
  });
  if (rows.some(({ reason }) => reason === null)) {
    const entry = { by, action: "notification.send-test", subject: { type: "user", id: me.id } } as const;
    if (!(await recordUpTo(db, MOST, entry))) throw refusal("too-many-tests", {}, { retryAfter: 60 });
  }
  const files = await readAttachments(db, attachmentIds);
  const person = await previewPerson(db, neededIn(compiled), [me], me.id);
  const links = linksFor(await preferencesToken(db, me.id));
  const outgoing = (address: string): OutgoingMessage => ({
    deliveryId: 0,
    attempt: 1,
    address,
    name: fullName(by.user),
    content: { compiled, attachments: files.map(encodedAttachment) },
    values: { ...(person && ownReason(person)), ...filled(person?.values ?? {}) },
    links,
    expiresAt: new Date(Date.now() + TEST_VALID_MS),
    urgent: false,
  });
  return Promise.all(
    rows.map(async ({ channel, address, reason, sentence }): Promise<TestResult> => {
      if (reason !== null || address === null) {
        return { channel, outcome: "failed", text: ownReasonSentence(reason, channel) ?? sentence ?? "" };
      }
      return sendThrough(db, transports, channel, outgoing(address));
    }),
  );
}

/** Through the account that would take most of the channel's messages now. */
async function sendThrough(
  db: Db,
  transports: Transports,
  channel: Channel,
  message: OutgoingMessage,
): Promise<TestResult> {
  const serving = (await servingAccounts(db)).filter((account) => account.channel === channel);
  const [account] = serving.toSorted(
    (one, other) => Number(other.state === "ok") - Number(one.state === "ok") || other.weight - one.weight,
  );
  const outcome = await sendDirectly(transportOf(transports, account!), message);
  if (outcome.kind !== "accepted") {
    return {
      channel,
      outcome: "failed",
      text: `${isolated(account!.name)} didn't send it: ${outcome.detail}`,
    };
  }
  if (account!.simulated) {
    return { channel, outcome: "sandbox", text: "Sent to the Sandbox. No one received it." };
  }
  const to = addressKind(channel) === "device" ? "your devices" : message.address;
  return { channel, outcome: "sent", text: `${isolated(account!.name)} accepted it for ${to}.` };
}

async function preferencesToken(db: Db, id: number): Promise<string> {
  const row = await db
    .selectFrom("users")
    .select("preferences_token")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return row.preferences_token;
}
