import { isolated } from "#contract/text/isolate.ts";
import { listText, numberText } from "#contract/text/locale.ts";
import type { DetailKind } from "#contract/text/kept-details.ts";
import { requestMissing } from "#contract/calls/suppressions.ts";
import { says } from "#contract/refusals/says.ts";

const detailMust: Record<DetailKind, string> = {
  text: "text",
  number: "a number like 1234.5, with at most 12 digits before the point and 6 after it",
  amount: "an amount like 1234.50, with at most 12 digits before the point and the decimals of your currency",
  date: "a date like 2026-11-25",
};

const unreadable = (what: string) =>
  says<{ name: string }>("unsupported-file", ({ name }) => `"${isolated(name)}" ${what}`, { field: "file" });

/** People, their addresses, consent and details, groups. */
export const people = {
  "no-such-person": says("not-found", "This person no longer exists"),
  "username-taken": says("conflict", "This username is taken", { field: "username" }),
  "username-just-taken": says("conflict", "Someone has just taken a username in these rows. Try again."),
  "email-not-valid": says("invalid-input", "Invalid email address", { field: "email" }),
  /** Whatever the reader of numbers says of this one. */
  "phone-not-valid": says<{ sentence: string }>("invalid-input", ({ sentence }) => sentence, {
    field: "phone",
  }),
  "administrators-only": says("forbidden", "Only an administrator can create or change an administrator"),
  "colleagues-contacts": says(
    "forbidden",
    "Only an administrator can change the email, phone or role of a colleague who can sign in",
  ),
  "deleting-oneself": says("conflict", "You cannot delete your own account. Ask another administrator."),
  "own-role": says("conflict", "You cannot change your own role. Ask another administrator."),
  "last-administrator": says(
    "conflict",
    "This is the last administrator who can sign in. Make someone else an administrator first.",
  ),
  "columns-missing": says<{ sentence: string }>("invalid-input", ({ sentence }) => sentence),

  // Spreadsheets.
  "no-such-import": says(
    "not-found",
    "This file isn't here anymore. Files are kept for a day. Choose it again.",
  ),
  "condition-without-detail": says("invalid-input", "This detail no longer exists. Choose another one."),
  "condition-without-value": says("invalid-input", "Enter a value of the detail’s kind"),
  "no-such-values": says(
    "not-found",
    "This file isn't here anymore. It is kept for a day, and for as long as a message has it. Choose it again.",
  ),
  "values-kept": says(
    "conflict",
    "A message has these values, so they stay as they are. Choose the file again to change them.",
  ),
  "column-from-record": says<{ field: string }>(
    "invalid-input",
    ({ field }) =>
      `{{${field}}} is filled in from each person’s record. Choose another field for this column.`,
  ),
  "import-undo-over": says<{ hours: number }>(
    "conflict",
    ({ hours }) => `An import can be undone for ${hours} hours. That time is over.`,
  ),
  "leaving-changed": says(
    "conflict",
    "Who isn't in the file has changed since the check. Check the rows again.",
  ),
  "many-leave": says<{ name: string; leaving: number; people: number; stop: number }>(
    "conflict",
    ({ name, leaving, people: all, stop }) =>
      `${numberText(leaving)} of ${numberText(all)} people at ${isolated(name)} would move out. That is more than ${stop}%, so it has to be confirmed once more.`,
  ),
  "import-begun": says("conflict", "This import has already begun, so nothing about it can be changed."),
  "import-not-ready": says<{ sentence: string }>("invalid-input", ({ sentence }) => sentence),
  "too-many-files-read": says("too-many-requests", "Other files are being read. Try again in a moment."),
  "sheet-damaged": unreadable(
    "is damaged. Open it in your spreadsheet program, save it again, and choose that file.",
  ),
  "sheet-locked": unreadable("is protected with a password. Save a copy without one, and choose that file."),
  "sheet-old-format": unreadable(
    "is in the format of Excel 97–2003. Open it, choose Save As, Excel Workbook (.xlsx), and choose that file.",
  ),
  "sheet-too-large": unreadable(
    "contains more than we can import at once: 100,000 rows with 100 columns. Split it, or delete the sheets that aren't needed.",
  ),
  "sheet-not-a-sheet": unreadable("isn't a spreadsheet. Choose an Excel, ODS or CSV file."),
  "sheet-empty": unreadable("is empty. Choose a file with the people in it."),

  "vouching-for-oneself": says("forbidden", "Confirm your own address with the link that we sent there", {
    field: "vouchFor",
  }),

  // The profile.
  "no-such-notice": says("not-found", "This notice doesn't exist"),
  "push-service-unknown": says(
    "invalid-input",
    "We can't send notifications to this browser's push service.",
  ),
  "browser-push-off": says("conflict", "Notifications in browsers are turned off."),
  "too-many-browsers": says<{ most: number }>(
    "conflict",
    ({ most }) => `Notifications are on in ${most} browsers. Remove one first.`,
  ),
  "browser-removed": says("not-found", "This browser is not in your list anymore."),

  // Consent and blocked addresses.
  "request-not-recorded": says("invalid-input", requestMissing, { field: "consentRequest" }),
  "number-opted-out-before": says(
    "conflict",
    "This number asked for no text messages before you entered it. To get them, text START from it to the number that we text from.",
  ),
  "inbox-opted-out-before": says(
    "conflict",
    "Someone with this address asked for no emails before you entered it. To get them, use the link in an email that went there, or ask us.",
  ),
  "address-of-someone-else": says(
    "conflict",
    "Someone else has this address now. Use the link in an email to them, or contact us.",
  ),
  "texts-need-start": says(
    "conflict",
    "To get text messages again, text START to the number that we text from.",
  ),
  "address-not-valid": says<{ sentence: string }>("invalid-input", ({ sentence }) => sentence, {
    field: "address",
  }),
  "address-blocked-already": says("conflict", "This address is already blocked.", { field: "address" }),
  "address-not-blocked": says("not-found", "This address isn't blocked."),
  "opt-out-decided": says("not-found", "This has been decided already."),

  // Details.
  "no-such-detail": says("not-found", "This detail has been deleted"),
  "detail-name-taken": says<{ label: string }>(
    "conflict",
    ({ label }) => `“${isolated(label)}” is the name of a detail already. Choose another name.`,
    { field: "label" },
  ),
  "detail-reserved": says<{ field: string }>(
    "invalid-input",
    ({ field }) => `Messages use {{${field}}} for something else. Choose another name.`,
    { field: "label" },
  ),
  "detail-known-column": says<{ label: string }>(
    "invalid-input",
    ({ label }) => `A column “${isolated(label)}” in files means something else. Choose another name.`,
    { field: "label" },
  ),
  "detail-unreadable": says(
    "invalid-input",
    "Begin the name with a Latin letter: messages write it between braces.",
    {
      field: "label",
    },
  ),
  "too-many-details": says<{ most: number }>(
    "conflict",
    ({ most }) => `There are ${most} details, which is the most. Delete one first.`,
    { field: "label" },
  ),
  "detail-in-use": says<{ label: string; uses: readonly { type: string; id: number; title: string }[] }>(
    "conflict",
    ({ label, uses }) =>
      `“${isolated(label)}” is used by ${listText(uses.map(({ type, title }) => `the ${type} “${isolated(title)}”`))}. Take it out there first.`,
    {
      fields: ({ uses }) =>
        Object.fromEntries(uses.map(({ type, id, title }) => [`${type.replaceAll(" ", "-")}.${id}`, title])),
    },
  ),
  "detail-unknown": says<{ field: string }>(
    "invalid-input",
    ({ field }) => `There is no detail ${isolated(field)}`,
  ),
  "detail-not-valid": says<{ label: string; kind: DetailKind }>(
    "invalid-input",
    ({ label, kind }) => `${isolated(label)} must be ${detailMust[kind]}`,
  ),

  // Groups.
  "no-such-group": says("not-found", "This group has been deleted"),
  "group-built-in": says<{ name: string }>(
    "conflict",
    ({ name }) => `“${isolated(name)}” is built in. It updates automatically and can't be changed by hand.`,
  ),
  "group-name-taken": says<{ name: string }>(
    "conflict",
    ({ name }) => `A group named “${isolated(name)}” already exists. Choose another name.`,
    { field: "name" },
  ),
  "group-has-rule": says(
    "invalid-input",
    "This group's members come from its rule. To pick them by hand, remove the rule with rule: null.",
    { field: "userIds" },
  ),
  "members-by-rule": says("conflict", "This group's members come from its rule."),
  /** `more`: how many others there are. */
  "members-unknown": says<{ ids: readonly number[]; more: number }>(
    "invalid-input",
    ({ ids, more }) =>
      `No one has the id ${ids.join(", ")}${more > 0 ? ` and ${more} more` : ""}. Remove it.`,
    { field: "userIds" },
  ),
  "groups-not-choosable": says(
    "invalid-input",
    "A group you chose was deleted, or its members come from a rule. Choose again.",
    { field: "groupIds" },
  ),
  "message-going-out": says<{ name: string }>(
    "conflict",
    ({ name }) => `A message is going out to “${isolated(name)}”. Try again in a minute.`,
  ),
};
