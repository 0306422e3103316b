import { Paperclip } from "lucide-react";
import type { RenderedMessage } from "#contract/deliveries.ts";
import { MailFrame } from "#web/ui/mail-frame.tsx";
import { megabytes } from "#web/ui/file-size.ts";
import { PhoneFrame } from "#web/ui/phone-frame.tsx";

/** The message as this person's device shows it. */
export function ReceivedMessage({ message }: { message: RenderedMessage }) {
  const { channel, from, to, subject, html, text, attachments } = message;
  if (channel === "sms") return <PhoneFrame kind="sms" from={from} text={text} />;
  if (channel === "push") return <PhoneFrame kind="push" from={from} title={subject ?? ""} text={text} />;
  return (
    <MailFrame subject={subject ?? ""} fromTo={`${from} to ${to}`} html={html ?? asHtml(text)} height={420}>
      {attachments.length > 0 && (
        <ul className="flex flex-col gap-1.5">
          {attachments.map((file) => (
            <li key={file.id} className="flex items-center gap-2">
              <Paperclip aria-hidden className="size-4 shrink-0" />
              <span className="min-w-0 truncate">{file.name}</span>
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
