import { isDiscarded } from "#contract/calls/archive.ts";
import { messages, people } from "#contract/text/count-text.ts";
import { sql } from "kysely";
import { type Channel, channelMeaning, peopleOf, writtenAs } from "#contract/delivery.ts";
import { audienceText, type NotificationDetail } from "#contract/calls/notifications.ts";
import type { ValuesSummary } from "#contract/calls/notification-fields.ts";
import { MOST_PRINTED } from "#contract/calls/reports.ts";
import type { RunProgress } from "#contract/run-progress.ts";
import type { Settings } from "#contract/calls/settings.ts";
import { numberText } from "#contract/text/locale.ts";
import { isolated } from "#contract/text/isolate.ts";
import type { Db } from "#server/db/database.ts";
import type { AccountSender } from "#server/delivery/accounts/accounts.ts";
import type { CompiledContent } from "#server/delivery/content/compiled.ts";
import { contentRecord, templateText } from "./content-record.ts";
import type { Fact, PrintedHead } from "./pdf/printed.ts";
import { archiveSentence } from "./archived.ts";
import { type Times, zoneSentence } from "./times.ts";

export type Subject = {
  notification: NotificationDetail;
  progress: RunProgress;
  settings: Pick<Settings, "companyLogo" | "siteName" | "siteEmail" | "timezone">;
  times: Times;
  now: Date;
};

type Frozen = {
  startedAt: Date;
  plannedFor: Date | null;
  channels: Channel[];
  simulated: Channel[];
  sender: AccountSender | null;
  title: string;
  compiled: CompiledContent;
  opened: Partial<Record<Channel, number>>;
  attachments: { name: string; size: number; sha256: string }[];
};

/** Everything in a report but its people. */
export async function readHead(db: Db, subject: Subject): Promise<PrintedHead> {
  const { notification, progress, settings, now } = subject;
  const run = await readRun(db, progress.runId);
  const record = contentRecord({ ...run, sentAt: run.startedAt, notificationId: notification.id });
  const listed = progress.archived ? 0 : Math.min(progress.people, MOST_PRINTED);
  return {
    organization: { name: settings.siteName, email: settings.siteEmail, logo: logoOf(settings.companyLogo) },
    title: notification.title,
    number: notification.id,
    zone: zoneSentence(settings.timezone),
    facts: factsOf(subject, run),
    notices: noticesOf(subject, run),
    simulated: run.simulated.length > 0,
    people: [
      { label: progress.people === 1 ? "person" : "people", count: progress.people },
      { label: "reached", count: peopleOf(progress.outcomes, "reached") },
      { label: "not reached", count: peopleOf(progress.outcomes, "missed"), bad: true },
      { label: "not certain yet", count: peopleOf(progress.outcomes, "open") },
      { label: "opted out, left out or cancelled", count: peopleOf(progress.outcomes, "excluded") },
    ].filter(({ count }, place) => place < 3 || count > 0),
    table: tableOf(progress, run),
    definitions: definitionsOf(progress),
    contents: run.channels.map((channel) => contentOf(channel, run)),
    attachments: run.attachments.map(({ size, ...file }) => ({ ...file, size: sizeText(size) })),
    record: { name: "content.json", ...record },
    listed,
    createdAt: now,
  };
}

async function readRun(db: Db, runId: number): Promise<Frozen> {
  const { rows } = await sql<Frozen>`
    SELECT r.created_at AS "startedAt", r.planned_for AS "plannedFor", r.channels, r.sender,
      r.simulated_channels AS simulated, v.title, v.compiled,
      (SELECT coalesce(jsonb_object_agg(o.channel, o.count), '{}') FROM (
        SELECT channel, count(*) FROM deliveries WHERE run_id = r.id AND opened_at IS NOT NULL GROUP BY channel
      ) o) AS opened,
      (SELECT coalesce(jsonb_agg(jsonb_build_object('name', a.name, 'size', a.size, 'sha256', encode(a.sha256, 'hex'))
          ORDER BY w.place), '[]')
        FROM unnest(v.attachment_ids) WITH ORDINALITY w (id, place) JOIN attachments a ON a.id = w.id) AS attachments
    FROM runs r JOIN content_versions v ON v.id = r.content_version_id WHERE r.id = ${runId}`.execute(db);
  return rows[0]!;
}

function factsOf({ notification, progress, times, now }: Subject, run: Frozen): Fact[] {
  const { sentBy, edited } = notification;
  const recipients = audienceText(
    notification.audience.map(({ type, name }) => ({ type, name: isolated(name) })),
  );
  const sender = sentBy?.who === "schedule" ? "Its schedule" : (sentBy?.name ?? "Not recorded");
  const finished = progress.finishedAt;
  const { values } = notification;
  return [
    ["Sent", times.full(run.startedAt)],
    ["Sent by", sender],
    [
      "Recipients",
      `${recipients} (${people(progress.people)})${notification.perHome ? ", one message per home" : ""}`,
    ],
    ...(values ? [["Values", valuesText(values)] as const] : []),
    ["Channels", run.channels.map((channel) => channelMeaning[channel].label).join(", ")],
    ["Status", notification.status],
    ["Finished", finished ? times.full(new Date(finished)) : "Not yet"],
    ...(run.plannedFor ? [["Scheduled for", times.full(run.plannedFor)] as const] : []),
    ["Written by", notification.createdBy],
    ...(edited
      ? [["Last edited", `${times.full(new Date(edited.at))}, by ${isolated(edited.by)}`] as const]
      : []),
    ["Report created", times.full(now)],
  ];
}

function valuesText({ name, people: count }: ValuesSummary): string {
  return `${name === "" ? "From the call that sent it" : `From ${isolated(name)}`} (${people(count)})`;
}

function noticesOf({ progress, times }: Subject, run: Frozen): PrintedHead["notices"] {
  const notices: PrintedHead["notices"] = [];
  if (run.simulated.length > 0) {
    const all = run.simulated.length === run.channels.length;
    const named = run.simulated.map((channel) => channelMeaning[channel].label).join(" and ");
    notices.push({
      title: all ? "SIMULATED" : `SIMULATED: ${named}`,
      text: all
        ? "These messages went to the Sandbox. Nothing was sent to anyone, and this is not proof of a notice."
        : `The messages on ${named} went to the Sandbox. Nothing was sent to anyone there, and no one counts as reached by them.`,
    });
  }
  if (progress.finishedAt === null) {
    const text =
      "Messages are still waiting or on their way. This report shows how things stood when it was created.";
    notices.push({ title: "Not finished", text });
  }
  if (progress.archived) {
    // Opens were counted by channel only there.
    const opens =
      progress.opened > 0
        ? ` ${messages(progress.opened)} ${progress.opened === 1 ? "was" : "were"} opened.`
        : "";
    const text = `${archiveSentence(progress.archived, times.full)} The figures and the content are complete.${opens}`;
    const title = isDiscarded(progress.archived) ? "Delivery details were discarded" : "People are archived";
    notices.push({ title, text });
  } else if (progress.people > MOST_PRINTED) {
    const [listed, people] = [MOST_PRINTED, progress.people].map(numberText);
    const text = `This report lists ${listed} of ${people} people, those who were not reached first. The figures count everyone, and the CSV report lists everyone.`;
    notices.push({ title: "Not everyone is listed", text });
  }
  return notices;
}

function tableOf({ byChannel }: RunProgress, { channels, simulated, opened }: Frozen): PrintedHead["table"] {
  const figures = channels.map((channel) => {
    const counts = byChannel[channel];
    const of = (...statuses: (keyof NonNullable<typeof counts>)[]) =>
      statuses.reduce((sum, status) => sum + (counts?.[status] ?? 0), 0);
    return {
      channel,
      Recipients: Object.values(counts ?? {}).reduce((sum, count) => sum + count, 0),
      Skipped: of("skipped"),
      Cancelled: of("cancelled"),
      Waiting: of("queued", "sending", "uncertain"),
      Sent: of("accepted", "delivered", "bounced"),
      Delivered: of("delivered"),
      "No receipt": of("accepted"),
      Failed: of("failed", "bounced", "expired"),
    };
  });
  const shown = (
    ["Recipients", "Skipped", "Cancelled", "Waiting", "Sent", "Delivered", "No receipt", "Failed"] as const
  ).filter((name) => !["Cancelled", "Waiting"].includes(name) || figures.some((row) => row[name] > 0));
  return {
    head: ["Channel", ...shown, "Opened"],
    rows: figures.map((row) => [
      channelMeaning[row.channel].label + (simulated.includes(row.channel) ? " · SIMULATED" : ""),
      ...shown.map((name) => numberText(row[name])),
      countOrNone(opened[row.channel]),
    ]),
  };
}

const countOrNone = (count: number | undefined) => (count === undefined ? "n/a" : numberText(count));

function definitionsOf(progress: RunProgress): Fact[] {
  const skipped = progress.reasons
    .filter(({ status }) => status === "skipped")
    .map(({ channel, count, sentence }) => {
      const { one, many } = channelMeaning[channel];
      return `${numberText(count)} ${count === 1 ? one : many}: ${sentence}`;
    });
  return [
    ["Reached", "Sent or delivered on at least one channel."],
    ["Sent", "The provider accepted the message, even if it bounced later."],
    ["Delivered", "A receipt from the provider confirms it."],
    ["No receipt", "Sent, and the provider has reported nothing since."],
    ...(skipped.length > 0 ? [["Skipped", skipped.join(" ")] as const] : []),
  ];
}

function contentOf(channel: Channel, run: Frozen): PrintedHead["contents"][number] {
  const { email, sms, push } = run.compiled;
  const shared = { label: channelMeaning[channel].label, simulated: run.simulated.includes(channel) };
  const reading = writtenAs(channel);
  switch (reading) {
    case "email": {
      const name = run.sender?.name || email!.fromName;
      const from = run.sender && !shared.simulated ? `${isolated(name)} <${run.sender.address}>` : name;
      const fields: Fact[] = [
        ["From", from],
        ...(email!.replyTo === undefined ? [] : [["Reply to", email!.replyTo] as const]),
        ["Subject", templateText(email!.subject)],
      ];
      return { ...shared, fields, text: templateText(email!.text) };
    }
    case "sms":
      return { ...shared, fields: [], text: templateText(sms!.text) };
    case "push":
      return {
        ...shared,
        fields: [["Title", templateText(push!.title)]],
        text: templateText(push!.body),
      };
    default:
      return reading satisfies never;
  }
}

const sizeText = (bytes: number) =>
  bytes < 100_000 ? `${Math.max(0.1, bytes / 1000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(2)} MB`;

function logoOf(dataUrl: string): Uint8Array | null {
  return dataUrl === "" ? null : new Uint8Array(Buffer.from(dataUrl.split(",")[1] ?? "", "base64"));
}
