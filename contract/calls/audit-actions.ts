/** The filters of the audit page. */
export const auditKinds = ["sign-ins", "people", "messages", "settings", "refusals", "exports"] as const;
export type AuditKind = (typeof auditKinds)[number];

/**
 * Every action that the server records, as noun.verb, and the filters that show it. Each one has its sentence in
 * `server/features/audit/sentences.ts`, which does not compile without.
 */
export const auditActions = {
  "session.start": ["sign-ins"],
  "session.password": ["sign-ins"],
  "session.fail": ["sign-ins", "refusals"],
  "session.end": ["sign-ins"],
  "session.end-one": ["sign-ins"],
  "session.end-others": ["sign-ins"],
  "session.confirm": ["sign-ins"],
  "session.confirm-fail": ["sign-ins", "refusals"],
  "call.refuse": ["refusals"],

  "two-factor.add": ["sign-ins", "people"],
  "two-factor.remove": ["sign-ins", "people"],
  "two-factor.rename": ["people"],
  "two-factor.recovery-codes": ["sign-ins", "people"],
  "two-factor.reset": ["sign-ins", "people"],
  "two-factor.limit": ["sign-ins", "refusals"],

  "user.register": ["sign-ins", "people"],
  "user.create": ["people"],
  "user.update": ["people"],
  "user.delete": ["people"],
  "user.import": ["people"],
  "user.set-password": ["people"],
  "user.send-credentials": ["people"],
  "user.confirm-address": ["people"],
  "user.block-address": ["people"],
  "user.unblock-address": ["people"],
  "user.confirm-opt-out": ["people"],
  "user.export": ["exports"],
  "data.clean": ["people"],
  "profile.save": ["people"],
  "profile.add-browser": ["people"],
  "profile.remove-browser": ["people"],
  "consent.change": ["people"],
  "group.create": ["people"],
  "group.update": ["people"],
  "group.delete": ["people"],
  "group.sync": ["people"],

  "notification.create": ["messages"],
  "notification.update": ["messages"],
  "notification.send": ["messages"],
  "notification.send-again": ["messages"],
  "notification.cancel": ["messages"],
  "notification.uncancel": ["messages"],
  "notification.dismiss": ["messages"],
  "notification.undismiss": ["messages"],
  "notification.delete": ["messages"],
  "notification.report": ["exports"],
  "attachment.download": ["exports"],
  "template.create": ["messages"],
  "template.update": ["messages"],
  "template.archive": ["messages"],
  "template.restore": ["messages"],
  "schedule.create": ["messages"],
  "schedule.update": ["messages"],
  "schedule.delete": ["messages"],
  "schedule.pause": ["messages"],
  "schedule.activate": ["messages"],
  "schedule.run": ["messages"],
  "schedule.skip": ["messages"],
  "schedule.unskip": ["messages"],
  "schedule.send": ["messages"],
  "schedule.dismiss": ["messages"],
  "calendar-link.create": ["messages"],
  "calendar-link.delete": ["messages"],

  "setting.save": ["settings"],
  "account.create": ["settings"],
  "account.update": ["settings"],
  "account.remove": ["settings"],
  "account.send-test": ["settings"],
  "webhook.refuse": ["settings", "refusals"],
  "audit.export": ["exports"],
  "month.archive": ["messages", "settings"],
  "month.restore": ["messages", "settings"],
  "month.discard": ["messages", "settings"],
  "sample.load": ["people", "messages"],
  "sample.remove": ["people", "messages"],
} as const satisfies Record<string, readonly AuditKind[]>;

export type AuditAction = keyof typeof auditActions;
export const auditActionNames = Object.keys(auditActions) as AuditAction[];

export const actionsOfKind = (kind: AuditKind): AuditAction[] =>
  auditActionNames.filter((action) => (auditActions[action] as readonly AuditKind[]).includes(kind));
