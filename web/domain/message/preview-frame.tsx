import type { Preview } from "#contract/calls/audience.ts";
import { shell } from "#contract/calls/shell.ts";
import { useRead } from "#web/api/use-read.ts";
import { MailFrame } from "#web/domain/mail-frame.tsx";
import { PhoneFrame } from "#web/domain/phone-frame.tsx";

type Props = {
  /** With the one text to show. */
  preview: Pick<Preview, "person"> & Partial<Pick<Preview, "email" | "sms" | "push">>;
  dark?: boolean;
};

/** A message as its recipient will see it. */
export function PreviewFrame({ preview: { person, email, sms, push }, dark }: Props) {
  const siteName = useRead(shell.state).data?.siteName ?? "";
  if (email) {
    const fromTo = (
      <>
        {siteName} to <bdi translate="no">{person?.name ?? "no one selected yet"}</bdi>
      </>
    );
    return <MailFrame subject={email.subject} fromTo={fromTo} html={email.html} dark={dark} />;
  }
  if (sms) return <PhoneFrame kind="sms" from={siteName} text={sms.text} dark={dark} />;
  if (push) return <PhoneFrame kind="push" from={siteName} title={push.title} text={push.body} dark={dark} />;
  return null;
}
