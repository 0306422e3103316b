import { isolated } from "#contract/text/isolate.ts";
import { type AuditEvent, type AuditPart, auditThings } from "#contract/calls/audit.ts";
import { changesIn } from "#server/features/audit/change-text.ts";
import type { AuditRow } from "#server/features/audit/read-audit.ts";
import type { Facts, Report } from "#server/features/audit/facts.ts";
import { reports } from "#server/features/audit/sentences.ts";
import { formatTime } from "#contract/text/time-text.ts";
import { knownDevice } from "#server/features/profile/device.ts";

type Known = { zone: string; groups: ReadonlyMap<number, string> };

/** A row of the audit in words. One that can't be described is still listed: nothing may hide what happened. */
export function eventOf(row: AuditRow, known: Known): AuditEvent {
  try {
    return described(row, known);
  } catch {
    const stub = { ...row, action: "", detail: {} };
    return { ...described(stub, known), note: `Recorded as ${row.action}. Its details can't be shown.` };
  }
}

function described(row: AuditRow, { zone, groups }: Known): AuditEvent {
  const changes = changesIn(row.detail["changes"], zone);
  const {
    does,
    note = "",
    refused = false,
  } = reportOf(row.action, {
    detail: row.detail,
    own: row.actorId !== null && row.subjectType === "user" && row.actorId === row.subjectId,
    named: row.subjectName !== "",
    changes,
    groups,
    time: (at) => (typeof at === "string" ? formatTime(new Date(at), zone) : "an unknown day"),
  });
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: {
      id: row.actorId,
      name: row.actorName.trim() || (row.detail["by"] === "clean" ? "Porchlight" : "Someone"),
      username: row.actorUsername,
      role: row.actorRole,
    },
    about: { type: row.subjectType, id: row.subjectId, username: row.subjectUsername },
    parts: partsOf(`${does}.`, row),
    refused,
    changes,
    note,
    ip: row.ip,
    device: knownDevice(row.userAgent),
  };
}

function reportOf(action: string, facts: Facts): Report {
  const known = Object.hasOwn(reports, action) ? reports[action as keyof typeof reports] : undefined;
  // Written by another version of Porchlight, before an update was undone.
  return known?.(facts) ?? { does: "did something that this version of Porchlight can't describe" };
}

/** Shown if a name is missing. */
const unnamed: Record<string, string> = {
  user: "a person",
  notification: "an untitled notification",
  template: "a template",
  schedule: "a schedule",
  group: "a group",
  property: "a property",
  home: "a home",
  account: "an account",
  attachment: "a file",
  setting: "the settings",
};

function partsOf(sentence: string, row: AuditRow): AuditPart[] {
  const [before = "", after] = sentence.split("{it}", 2);
  if (after === undefined) return [plain(before)];
  const type = auditThings.find((one) => one === row.subjectType);
  const it = {
    text: row.subjectName || (unnamed[row.subjectType] ?? "something"),
    named: true,
    thing: type && row.exists ? { type, id: row.subjectId, channel: row.channel } : null,
  };
  return [plain(before), it, plain(after)];
}

const plain = (text: string): AuditPart => ({ text, named: false, thing: null });

/** The whole sentence: "Ann Lee deleted Bo Chen." */
export const sentenceOf = ({ actor, parts }: AuditEvent): string =>
  `${isolated(actor.name)} ${parts.map(({ text, named }) => (named ? isolated(text) : text)).join("")}`;
