import { people } from "#contract/text/count-text.ts";
import { Download, FileText, Image } from "lucide-react";
import type { ValuesSummary } from "#contract/calls/notification-fields.ts";
import { listText } from "#contract/text/locale.ts";
import { fieldText, piecesOf, valueOf } from "#contract/text/message-fields.ts";
import type { NotificationDetail } from "#contract/calls/notifications.ts";
import { relativeDateText, type ScheduleValue } from "#contract/text/relative-date.ts";
import { channelLook } from "#web/domain/channel.tsx";
import { Card, CardHeader } from "#web/ui/page/card.tsx";
import { megabytes } from "#web/ui/browser/file-size.ts";

/** The message, its recipients and files. */
export function MessageCard({ notification }: { notification: NotificationDetail }) {
  const { contentText, recipients, channels, attachments, progress, values } = notification;
  return (
    <Card aria-labelledby="message">
      <CardHeader title={<span id="message">Message</span>} />
      <div className="flex flex-col gap-5 border-t border-line px-4 py-4">
        <p className="break-words whitespace-pre-wrap">
          {contentText ? (
            <WithFields text={contentText} values={notification.fieldValues} />
          ) : (
            <span className="text-ink-3">No message yet.</span>
          )}
        </p>
        <dl className="flex flex-col gap-4 text-sm">
          <div>
            <dt className="text-ink-2">Recipients</dt>
            <dd className="font-medium break-words">
              {recipients ? (
                <bdi dir="ltr" translate="no">
                  {recipients}
                </bdi>
              ) : (
                <span className="font-normal text-ink-3">No recipients yet.</span>
              )}
              {progress && <span className="font-normal text-ink-3">{` · ${people(progress.people)}`}</span>}
            </dd>
          </div>
          {values && <OwnValues values={values} />}
          <div>
            <dt className="text-ink-2">Channels</dt>
            {channels.length === 0 ? (
              <dd className="text-ink-3">None chosen yet</dd>
            ) : (
              <dd className="font-medium">
                {channels.map((channel) => channelLook[channel].label).join(", ")}
              </dd>
            )}
          </div>
          <div>
            <dt className="text-ink-2">Attachments</dt>
            <dd className="mt-1">
              {attachments.length === 0 ? (
                <span className="text-ink-3">No attachments</span>
              ) : (
                <Files files={attachments} />
              )}
            </dd>
          </div>
        </dl>
      </div>
    </Card>
  );
}

/** The file with a value for each person, or what came with the call. */
function OwnValues({ values: { name, people: number, fields } }: { values: ValuesSummary }) {
  return (
    <div>
      <dt className="text-ink-2">Values for each person</dt>
      <dd className="font-medium break-words">
        {name ? <bdi translate="no">{name}</bdi> : "Given with the call"}
        <span className="font-normal text-ink-3">{` · ${people(number)}`}</span>
        <span className="block font-normal text-ink-2">
          {listText(fields.map((field) => fieldText(field)))}
        </span>
      </dd>
    </div>
  );
}

type FilesProps = { files: NotificationDetail["attachments"] };

/** The attachments of what was sent; renders nothing if there are none. */
export function FilesCard({ files }: FilesProps) {
  if (files.length === 0) return null;
  return (
    <Card aria-labelledby="files" className="p-4 text-sm">
      <h2 id="files" className="pb-2 font-semibold">
        Attachments
      </h2>
      <Files files={files} />
    </Card>
  );
}

function Files({ files }: FilesProps) {
  return (
    <ul className="flex flex-col gap-2">
      {files.map((file) => (
        <li key={file.id}>
          <FileLink file={file} />
        </li>
      ))}
    </ul>
  );
}

/**
 * The text with its fields marked: with the typed values, otherwise by name, since each person reads something else.
 */
function WithFields({ text, values }: { text: string; values: NotificationDetail["fieldValues"] }) {
  return piecesOf(text).map(({ raw, field }, index) =>
    field === null ? (
      raw
    ) : (
      <span key={`${index} ${field}`} title={`{{${field}}}`} className="rounded-sm bg-sunk px-1 font-medium">
        {shownValue(valueOf(values, field)) ?? field.replaceAll("_", " ")}
      </span>
    ),
  );
}

function shownValue(value: ScheduleValue | undefined) {
  return typeof value === "object" ? relativeDateText(value) : value;
}

function FileLink({ file }: { file: NotificationDetail["attachments"][number] }) {
  const Icon = file.type === "application/pdf" ? FileText : Image;
  return (
    <a
      href={file.url}
      download={file.name}
      className="flex items-center gap-2.5 rounded-md border border-line px-3 py-2 hover:bg-hover"
    >
      <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
      <span className="min-w-0 flex-1 truncate font-medium">{file.name}</span>
      <span className="whitespace-nowrap text-ink-3 tabular">{megabytes(file.size)}</span>
      <Download aria-hidden className="size-4 shrink-0 text-ink-3" />
    </a>
  );
}
