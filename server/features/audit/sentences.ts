import { isolated } from "#contract/text/isolate.ts";
import { counted, people } from "#contract/text/count-text.ts";
import type { AuditAction } from "#contract/calls/audit-actions.ts";
import { channelMeaning, channels, addressKind } from "#contract/delivery.ts";
import { listText, numberText } from "#contract/text/locale.ts";
import { dayText } from "#contract/text/home-dates.ts";
import { isChannel, labelOf, type Stored } from "#server/features/audit/change-text.ts";
import type { Facts, Report } from "#server/features/audit/facts.ts";
import { refusedCall } from "#server/features/audit/refused-call.ts";

const numberOf = (value: unknown): number => (typeof value === "number" ? value : 0);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const joined = (texts: readonly string[]) => listText(texts.map((text) => isolated(text)));
const nameIn = (value: unknown) => isolated(textOf(value));
const sentences = (...all: (string | false | undefined)[]) => all.filter(Boolean).join(" ");
/** Someone else's words, as a sentence of their own. */
const quoted = (words: unknown) => textOf(words) && `“${isolated(textOf(words).replace(/[.\s]+$/, ""))}.”`;
const ways = (channels: unknown) =>
  joined(listOf(channels).flatMap((one) => (isChannel(one) ? [channelMeaning[one].spoken] : [])));

/** One changed field is named; of several the list below says enough. */
function changed({ changes }: Facts, what: string): string {
  const only = changes.length === 1 ? changes[0] : undefined;
  if (only?.label === labelOf("enabled")) return `turned ${what} ${only.after === "On" ? "on" : "off"}`;
  return only ? `changed the ${lowerFirst(only.label)} of ${what}` : `changed ${what}`;
}

/** Except an abbreviation: "SMS prefix". */
const lowerFirst = (label: string) =>
  /^[A-Z]{2}/.test(label) ? label : label.slice(0, 1).toLowerCase() + label.slice(1);

const CLEANED = "Characters that no one sees were removed by an update of Porchlight.";

function personUpdated(facts: Facts): Report {
  const { detail, groups, changes } = facts;
  const moved = (detail["groups"] ?? {}) as Record<string, unknown>;
  const [into, left] = [listOf(moved["joined"]), listOf(moved["left"])];
  const names = (ids: readonly unknown[]) =>
    joined(ids.map((id) => groups.get(Number(id)) ?? "a deleted group"));
  const password = detail["password"] === "set";
  return {
    does: password && changes.length === 0 ? "set a password for {it}" : changed(facts, "{it}"),
    note: sentences(
      password && changes.length > 0 && "A new password was set.",
      into.length > 0 && `Added to ${names(into)}.`,
      left.length > 0 && `Removed from ${names(left)}.`,
      detail["by"] === "import" && `Changed by an import of ${fileIn(detail)}.`,
      undoneImport(detail),
      detail["by"] === "clean" && CLEANED,
    ),
  };
}

/** Older rows, and those of pasted text and other programs, have no name of a file. */
const fileIn = (detail: Facts["detail"]) =>
  textOf(detail["file"]) ? `“${nameIn(detail["file"])}”` : "a CSV file";

const undoneImport = (detail: Facts["detail"]) =>
  detail["by"] === "undo-import" && `The import of ${fileIn(detail)} was undone.`;

function imported({ detail, groups }: Facts): Report {
  const { created, updated, skipped, rejected, groupIds } = detail;
  const into = listOf(groupIds).map((id) => groups.get(Number(id)) ?? "a deleted group");
  return {
    does: `imported ${counted(numberOf(created) + numberOf(updated), "person", "people")} from ${fileIn(detail)}`,
    note: sentences(
      `${numberText(numberOf(created))} added and ${numberText(numberOf(updated))} updated.`,
      numberOf(skipped) > 0 && `${counted(numberOf(skipped), "row")} skipped.`,
      numberOf(rejected) > 0 && `${counted(numberOf(rejected), "row")} left out.`,
      into.length > 0 && `Added to ${joined(into)}.`,
    ),
  };
}

const personFacts = ({ detail }: Facts) =>
  sentences(
    textOf(detail["username"]) && `Username: ${nameIn(detail["username"])}.`,
    textOf(detail["role"]) &&
      `Role: ${{ admin: "Administrator", staff: "Staff" }[textOf(detail["role"])] ?? "Tenant"}.`,
  );

const detached = ({ detail }: Facts) => {
  const from = listOf(detail["detached"]).length;
  return (
    from > 0 && `Removed from ${counted(from, "schedule or notification", "schedules and notifications")}.`
  );
};

const members = ({ detail }: Facts) =>
  sentences(
    listOf(detail["joined"]).length > 0 &&
      `${counted(listOf(detail["joined"]).length, "person", "people")} added.`,
    listOf(detail["left"]).length > 0 &&
      `${counted(listOf(detail["left"]).length, "person", "people")} removed.`,
  );

const ofDay = ({ detail }: Facts) =>
  textOf(detail["occurrence"]) ? `the run on ${dayText(textOf(detail["occurrence"]))}` : "a run";

const lastDay = ({ day }: Stored) => textOf(day) && `The last day: ${dayText(textOf(day))}.`;
const firstDay = ({ day }: Stored) => textOf(day) && `The first day there: ${dayText(textOf(day))}.`;

const secondSteps: Record<string, string> = {
  app: "With an authenticator app.",
  passkey: "With a passkey.",
  recovery: "With a recovery code.",
};

const failedSteps: Record<string, string> = {
  app: "The password was correct, but the code from the authenticator app was wrong.",
  passkey: "The password was correct, but the passkey wasn't accepted.",
  recovery: "The password was correct, but the recovery code was wrong.",
};

function whyNotSignedIn(named: boolean, { by }: Stored): string {
  if (!named) return by === "passkey" ? "The passkey wasn't accepted." : "No account has this username.";
  if (typeof by !== "string") return "Wrong password.";
  return failedSteps[by] ?? "The password was correct, but the second step failed.";
}

function factorOf({ factor, name }: Stored): string {
  if (factor !== "passkey") return "an authenticator app";
  return textOf(name) ? `the passkey ${nameIn(name)}` : "a passkey";
}

/** On push it is a person and not an address. */
function addressOf({ detail, named }: Facts): string {
  const channel = channels.find((name) => name === detail["channel"]);
  if (channel && addressKind(channel) === "device") return `${channelMeaning[channel].many} to {it}`;
  return `${nameIn(detail["address"]) || "an address"}${named ? " of {it}" : ""}`;
}

/** The request on which staff undid an opt-out. */
const asked = (request: unknown) => textOf(request) !== "" && `The request: ${quoted(request)}`;

/** How a channel was turned on or off where the person was not signed in. */
const consentWays: Record<string, string> = {
  "preferences-page": "On the preferences page linked in an email. The link doesn't say who followed it.",
  "one-click": "With the one-click unsubscribe in an email. The link doesn't say who followed it.",
};

const confirmedText = ({ email, phone }: Stored) =>
  [email !== undefined && "email address", phone !== undefined && "phone number"]
    .filter(Boolean)
    .join(" and ") || "email address";

export const reports: Record<AuditAction, (facts: Facts) => Report> = {
  "session.start": ({ detail }) => ({ does: "signed in", note: secondSteps[textOf(detail["by"])] ?? "" }),
  "session.fail": ({ named, detail }) => ({
    does: named ? "failed to sign in as {it}" : "failed to sign in",
    note: whyNotSignedIn(named, detail),
    refused: true,
  }),
  "session.password": ({ named }) => ({
    does: named ? "entered the correct password for {it}" : "entered the correct password",
    note: "The second step of signing in was still to come.",
  }),
  "session.confirm-fail": () => ({ does: "entered a wrong current password", refused: true }),
  "session.confirm": () => ({ does: "entered their password again" }),
  "session.end": () => ({ does: "signed out" }),
  "session.end-one": () => ({ does: "signed out of another browser" }),
  "session.end-others": ({ detail }) => ({
    does: "signed out everywhere else",
    note: `${counted(numberOf(detail["ended"]), "session")} ended.`,
  }),
  "call.refuse": ({ detail }) => refusedCall(textOf(detail["call"]), textOf(detail["code"])),

  "two-factor.add": ({ detail }) => ({
    does:
      detail["replaced"] === true
        ? "replaced their authenticator app for signing in"
        : `added ${factorOf(detail)} for signing in`,
  }),
  "two-factor.remove": ({ detail }) => ({ does: `removed ${factorOf(detail)} for signing in` }),
  "two-factor.rename": () => ({ does: "renamed a passkey" }),
  "two-factor.recovery-codes": () => ({ does: "created new recovery codes" }),
  "two-factor.reset": () => ({ does: "turned off two-factor authentication for {it}" }),
  "two-factor.limit": ({ detail }) => ({
    does: `entered ${counted(numberOf(detail["codes"]), "wrong code")} for {it} within a week`,
    note: "No more codes are accepted from that browser for a week, unless the password is changed.",
    refused: true,
  }),

  "user.register": ({ detail }) =>
    detail["role"] === "admin"
      ? { does: "set up Porchlight", note: "The first account is an administrator." }
      : { does: "created an account" },
  "user.create": (facts) => ({ does: "added {it}", note: personFacts(facts) }),
  "user.update": personUpdated,
  "user.delete": (facts) => ({
    does: "deleted {it}",
    note: sentences(personFacts(facts), detached(facts), undoneImport(facts.detail)),
  }),
  "user.import": imported,
  "user.undo-import": ({ detail }) => ({
    does: `undid the import of ${fileIn(detail)}`,
    note: sentences(
      numberOf(detail["removed"]) > 0 && `${people(numberOf(detail["removed"]))} removed.`,
      numberOf(detail["movedBack"]) > 0 && `${people(numberOf(detail["movedBack"]))} moved back in.`,
      numberOf(detail["restored"]) > 0 && `${people(numberOf(detail["restored"]))} restored.`,
      numberOf(detail["kept"]) > 0 && `${people(numberOf(detail["kept"]))} left as they are.`,
    ),
  }),
  "user.set-password": ({ detail, own }) => ({
    does: own ? "set a new password" : "set a password for {it}",
    note: detail["by"] === "link" ? "With a one-time link." : "",
  }),
  "user.send-credentials": ({ detail }) => ({
    does: `sent {it} a link to set a password by ${ways(detail["channels"])}`,
  }),
  "user.confirm-address": ({ detail, own }) => ({
    does: own ? `confirmed their ${confirmedText(detail)}` : `confirmed the ${confirmedText(detail)} of {it}`,
    note: detail["by"] === "link" ? "With the link that we sent there." : "By sending credentials.",
  }),
  "user.block-address": (facts) => ({
    does: `blocked ${addressOf(facts)}`,
    note: quoted(facts.detail["reason"]),
  }),
  "user.unblock-address": (facts) => ({
    does: `unblocked ${addressOf(facts)}`,
    note: sentences(
      facts.detail["blockedAt"] !== undefined &&
        `It was blocked on ${facts.time(facts.detail["blockedAt"])}.`,
      quoted(facts.detail["reason"]),
      asked(facts.detail["request"]),
    ),
  }),
  "user.confirm-opt-out": (facts) => ({
    does: `confirmed that ${addressOf(facts)} gets no more texts`,
    note: quoted(facts.detail["words"]),
  }),
  "user.export": () => ({ does: "exported everyone's details" }),
  "data.clean": ({ detail }) => {
    const merged = listOf(detail["merged"]).map(textOf);
    const renamed = numberOf(detail["renamed"]);
    return {
      does: `removed characters that no one sees from the details of ${people(numberOf(detail["people"]))}`,
      note: sentences(
        merged.length > 0 && `Groups that looked the same are now one: ${joined(merged)}.`,
        renamed > 0 && `${counted(renamed, "username")} changed because someone else's looked the same.`,
      ),
    };
  },
  "profile.save": (facts) => ({ does: changed(facts, "their profile") }),
  "profile.add-browser": ({ detail }) => ({
    does: `turned on push messages in ${textOf(detail["browser"]) || "a browser"}`,
  }),
  "profile.remove-browser": ({ detail }) => ({
    does: `turned off push messages in ${textOf(detail["browser"]) || "a browser"}`,
  }),
  "consent.change": ({ detail, own }) => ({
    does: own ? "changed their own notification preferences" : "changed the notification preferences of {it}",
    note: sentences(consentWays[textOf(detail["source"])], asked(detail["request"])),
  }),
  "property.create": () => ({ does: "added the property {it}" }),
  "property.update": (facts) => ({ does: changed(facts, "the property {it}") }),
  "property.merge": ({ detail }) => ({ does: `merged the property ${nameIn(detail["merged"])} into {it}` }),
  "property.unmerge": ({ detail }) => ({
    does: `took the property ${nameIn(detail["merged"])} out of {it} again`,
  }),
  "property.add-homes": ({ detail }) => ({
    does: `added ${counted(numberOf(detail["added"]), "home")} to the property {it}`,
  }),
  "property.correct-homes": ({ detail }) => ({
    does: `corrected building, floor or stack of ${counted(numberOf(detail["homes"]), "home")} in the property {it}`,
  }),
  "residency.move-in": ({ detail }) => ({ does: `added {it} to the home ${nameIn(detail["home"])}` }),
  "residency.move-out": ({ detail }) => ({
    does: `moved {it} out of ${nameIn(detail["home"])}`,
    note: lastDay(detail),
  }),
  "residency.move": ({ detail }) => ({
    does: `moved {it} to ${nameIn(detail["home"])}`,
    note: firstDay(detail),
  }),
  "residency.change": ({ detail }) => ({ does: `changed the time of {it} in ${nameIn(detail["home"])}` }),
  "residency.remove": ({ detail }) => ({
    does: `removed {it} from the history of ${nameIn(detail["home"])}`,
  }),
  "residency.undo": ({ detail }) => ({
    does: "undid the last move of {it}",
    note: sentences(undoneImport(detail)),
  }),
  "home.export": () => ({ does: "exported every notice to {it}" }),
  "import.export": () => ({ does: "exported the rows that an import left out" }),
  "values.export": () => ({ does: "exported the rows of {it} that couldn’t be sent" }),
  "values.blank": () => ({ does: "exported a sheet of people to fill in" }),
  "detail.create": () => ({ does: "added the detail {it}", note: "" }),
  "detail.update": (facts) => ({ does: changed(facts, "the detail {it}") }),
  "detail.delete": ({ detail }) => ({
    does: "deleted the detail {it}",
    note: `${counted(numberOf(detail["people"]), "person", "people")} had it.`,
  }),
  "group.create": (facts) => ({ does: "created the group {it}", note: members(facts) }),
  "group.update": (facts) => ({
    does: changed(facts, "the group {it}"),
    note: facts.detail["by"] === "clean" ? CLEANED : members(facts),
  }),
  "group.delete": (facts) => ({ does: "deleted the group {it}", note: detached(facts) || "" }),
  "group.sync": ({ detail }) => ({
    does: "updated the built-in groups",
    note: sentences(
      listOf(detail["created"]).length > 0 && `Added ${joined(listOf(detail["created"]).map(textOf))}.`,
      listOf(detail["removed"]).length > 0 && `Removed ${joined(listOf(detail["removed"]).map(textOf))}.`,
    ),
  }),

  "notification.create": ({ detail }) => ({
    does:
      { Scheduled: "scheduled {it}", Recurring: "scheduled {it} to repeat" }[textOf(detail["status"])] ??
      "saved the draft {it}",
  }),
  "notification.update": (facts) => ({ does: changed(facts, "the notification {it}") }),
  "notification.send": ({ detail: { to, channels } }) => ({
    does: "sent {it}",
    note: textOf(to) && `To ${nameIn(to)} by ${ways(channels)}.`,
  }),
  "notification.send-again": ({ detail }) => ({
    does: "retried undelivered messages of {it}",
    note: sentences(
      detail["unconfirmed"] === true && "Including those that may have arrived.",
      detail["includeReached"] === true && "Including people reached on another channel.",
    ),
  }),
  "notification.cancel": () => ({ does: "cancelled {it}" }),
  "notification.uncancel": () => ({ does: "undid the cancellation of {it}" }),
  "notification.dismiss": ({ detail }) => ({
    does: "dismissed {it} from the dashboard",
    note: numberOf(detail["missed"]) > 0 ? `It didn't reach ${people(numberOf(detail["missed"]))}.` : "",
  }),
  "notification.undismiss": () => ({ does: "undid the dismissal of {it}" }),
  "notification.delete": () => ({ does: "deleted the draft {it}" }),
  "notification.report": () => ({ does: "downloaded the delivery report of {it}" }),
  "attachment.download": () => ({ does: "downloaded the file {it}" }),
  "template.create": () => ({ does: "created the template {it}" }),
  "template.update": (facts) => ({ does: changed(facts, "the template {it}") }),
  "template.archive": () => ({ does: "archived the template {it}" }),
  "template.restore": () => ({ does: "restored the template {it}" }),
  "schedule.create": () => ({ does: "created the schedule {it}" }),
  "schedule.update": (facts) => ({ does: changed(facts, "the schedule {it}") }),
  "schedule.delete": () => ({ does: "deleted the schedule {it}" }),
  "schedule.pause": () => ({ does: "paused the schedule {it}" }),
  "schedule.activate": () => ({ does: "activated the schedule {it}" }),
  "schedule.run": () => ({ does: "ran the schedule {it} manually" }),
  "schedule.skip": (facts) => ({ does: `skipped ${ofDay(facts)} of the schedule {it}` }),
  "schedule.unskip": (facts) => ({ does: `restored ${ofDay(facts)} of the schedule {it}` }),
  "schedule.send": (facts) => ({ does: `sent ${ofDay(facts)} of the schedule {it} late` }),
  "schedule.dismiss": (facts) => ({ does: `dismissed ${ofDay(facts)} of the schedule {it}` }),
  "calendar-link.create": () => ({ does: "created a secret calendar link" }),
  "calendar-link.delete": () => ({ does: "revoked their secret calendar link" }),

  "setting.save": ({ detail }) => ({
    does: "changed {it}",
    note: textOf(detail["companyLogo"]) && `The logo was ${textOf(detail["companyLogo"])}.`,
  }),
  "account.create": () => ({ does: "set up {it}" }),
  "account.update": (facts) => {
    const secrets = listOf(facts.detail["secretsReplaced"]).map((name) => lowerFirst(labelOf(textOf(name))));
    return {
      does:
        secrets.length > 0 && facts.changes.length === 0
          ? `replaced the ${joined(secrets)} of {it}`
          : changed(facts, "{it}"),
      note:
        secrets.length > 0 && facts.changes.length > 0
          ? `The ${joined(secrets)} ${secrets.length === 1 ? "was" : "were"} replaced.`
          : "",
    };
  },
  "account.remove": () => ({ does: "removed {it} and its saved passwords and keys" }),
  "notification.send-test": () => ({ does: "sent themselves a test of a message" }),
  "account.send-test": () => ({ does: "sent a test message through {it}" }),
  "webhook.refuse": ({ detail }) => ({
    does: "called the webhook of {it}",
    note:
      detail["because"] === "forged"
        ? "The call wasn't signed with the key that is saved for this account."
        : "The call didn't match the provider's documentation.",
    refused: true,
  }),
  "audit.export": () => ({ does: "exported the audit log" }),
  "month.archive": () => ({ does: "archived the delivery details of {it}" }),
  "month.restore": () => ({ does: "brought the delivery details of {it} back from the archive" }),
  "month.discard": () => ({ does: "discarded the archived delivery details of {it}" }),
  "sample.load": () => ({ does: "loaded the sample property" }),
  "sample.remove": () => ({ does: "removed the sample property" }),
};
