import { isolated } from "#contract/text/isolate.ts";
import { type Archived, archivedText } from "#contract/calls/archive.ts";
import { MEGABYTE } from "#contract/calls/attachments.ts";
import { says } from "#contract/refusals/says.ts";
import { heicAdvice } from "#contract/text/file-content.ts";
import { numberText } from "#contract/text/locale.ts";

const attachable = "Attach a PNG, JPG, GIF or PDF.";
const attachments = { field: "attachments" };
export const logoTooLarge = "Please upload an image smaller than 2MB.";

/** Settings, files, the sample property, and what is read of a message that went out. */
export const property = {
  "settings-changed": says<{ changed: Record<string, unknown> }>(
    "conflict",
    "These settings were changed in the meantime. Nothing was saved.",
    {
      fields: ({ changed }) =>
        Object.fromEntries(
          Object.entries(changed).map(([key, now]) => [
            key,
            `This was ${now === "" ? "cleared" : `changed to “${String(now)}”`} in the meantime. Save again to replace it, or discard your changes.`,
          ]),
        ),
    },
  ),
  /** Whatever the setting's schema says. */
  "setting-not-valid": says<{ sentence: string }>("invalid-input", ({ sentence }) => sentence, {
    field: "value",
  }),
  "logo-too-large": says("unsupported-file", logoTooLarge),
  "logo-not-an-image": says("unsupported-file", "Please upload a JPG or PNG image."),
  "no-such-logo": says("not-found", "There is no such logo"),

  "no-such-file": says("not-found", "This file doesn't exist"),
  "file-not-attachable": says<{ name: string }>(
    "unsupported-file",
    ({ name }) => `"${isolated(name)}" is not an image or PDF that can be sent. ${attachable}`,
    attachments,
  ),
  "file-empty": says<{ name: string }>(
    "unsupported-file",
    ({ name }) => `"${isolated(name)}" is empty. ${attachable}`,
    attachments,
  ),
  "file-misnamed": says<{ name: string; kind: string }>(
    "unsupported-file",
    ({ name, kind }) => `"${isolated(name)}" is actually a ${kind}, despite its name. ${attachable}`,
    attachments,
  ),
  "file-heic": says<{ name: string }>(
    "unsupported-file",
    ({ name }) => `"${isolated(name)}" ${heicAdvice}`,
    attachments,
  ),
  "too-many-uploads": says<{ bytes: number; files: number }>(
    "too-many-requests",
    ({ bytes, files }) =>
      `You can upload ${bytes / MEGABYTE} MB or ${numberText(files)} files in 24 hours. Try again later, or send a link.`,
  ),

  "no-such-notification": says("not-found", "Notification not found"),
  "no-such-delivery": says("not-found", "This delivery doesn't exist"),
  "delivery-archived": says<{ archive: Archived }>("not-found", ({ archive }) => `${archivedText(archive)}.`),
  "retry-archived": says<{ archive: Archived }>(
    "conflict",
    ({ archive }) =>
      `${archivedText(archive)}, so no one can be retried. Copy it to a new notification to send it.`,
  ),
  /** Values that were on file for no one when the message was written. */
  "values-not-on-file": says<{ fields: readonly string[] }>(
    "missing-field-values",
    ({ fields }) => `No value for ${fields.map((field) => `{{${field}}}`).join(", ")}.`,
  ),
  "nothing-to-report": says("conflict", "Nothing has been sent yet, so there is nothing to report."),
  "too-many-reports": says(
    "too-many-requests",
    "Several reports are being created right now. Try again in a minute.",
  ),

  "sample-loaded-already": says("conflict", "The sample property is already loaded."),
  "sample-not-loaded": says("not-found", "The sample property isn't loaded."),
  "sample-beside-people": says<{ people: number }>(
    "conflict",
    ({ people }) =>
      `The sample property can only be loaded while you're the only person here. There ${people === 1 ? "is 1 other person" : `are ${numberText(people)} other people`}.`,
  ),
  "sample-beside-provider": says(
    "conflict",
    "A provider is connected, so the sample's schedules would send real messages to invented people. Load the sample property before you connect one.",
  ),
  "sample-group-taken": says<{ name: string }>(
    "conflict",
    ({ name }) =>
      `The sample property has a group named “${isolated(name)}”, and so do you. Rename or delete yours first.`,
  ),
  "sample-template-changed": says<{ name: string }>(
    "conflict",
    ({ name }) =>
      `The sample property uses the template “${isolated(name)}” as it first was, and it has been changed. To see the sample, run npm run demo, which has its own database.`,
  ),
  "sample-without-channel": says(
    "conflict",
    "The sample property uses every channel. Turn all of them on in Settings first.",
  ),
  "signed-in-as-sample": says(
    "conflict",
    "You're signed in as one of the sample's people. Sign in as yourself to remove them.",
  ),
};
