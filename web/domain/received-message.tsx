import { Paperclip } from "lucide-react";
import { type Channel, writtenAs } from "#contract/delivery.ts";
import { MailFrame } from "#web/domain/mail-frame.tsx";
import { megabytes } from "#web/ui/browser/file-size.ts";
import { PhoneFrame } from "#web/domain/phone-frame.tsx";

type File = { id: number; name: string; size: number };

type Props = {
  message: {
    channel: Channel;
    from: string;
    to: string;
    subject: string | null;
    html: string | null;
    text: string;
    attachments: readonly File[];
  };
  /** Where a file can be downloaded; without it, files are only named. */
  fileAddress?: (file: File) => string;
  /** Has a dialog to itself. */
  alone?: boolean;
};

/** A message as its recipient's device shows it. */
export function ReceivedMessage({ message, fileAddress, alone }: Props) {
  const { channel, from, to, subject, html, text, attachments } = message;
  const reading = writtenAs(channel);
  if (reading === "sms") return <PhoneFrame kind="sms" from={from} text={text} />;
  if (reading === "push") return <PhoneFrame kind="push" from={from} title={subject ?? ""} text={text} />;
  return (
    <MailFrame
      subject={subject ?? ""}
      fromTo={
        <>
          <bdi translate="no">{from}</bdi> to <bdi translate="no">{to}</bdi>
        </>
      }
      html={html ?? asHtml(text)}
      alone={alone}
    >
      {attachments.length > 0 && (
        <ul className="flex flex-col gap-1.5">
          {attachments.map((file) => (
            <li key={file.id} className="flex items-center gap-2">
              <Paperclip aria-hidden className="size-4 shrink-0" />
              {fileAddress ? (
                <a
                  href={fileAddress(file)}
                  download={file.name}
                  className="min-w-0 truncate underline underline-offset-2 touch:py-2.5"
                >
                  {file.name}
                </a>
              ) : (
                <span className="min-w-0 truncate">{file.name}</span>
              )}
              <span className="whitespace-nowrap text-[#5d574e]">{megabytes(file.size)}</span>
            </li>
          ))}
        </ul>
      )}
    </MailFrame>
  );
}

/** Plain text for a frame that shows HTML. */
function asHtml(text: string): string {
  const safe = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<pre style="margin:16px;font:15px/1.6 system-ui,sans-serif;white-space:pre-wrap;overflow-wrap:anywhere">${safe}</pre>`;
}
