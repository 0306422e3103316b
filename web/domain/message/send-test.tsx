import { CircleAlert, CircleCheck, FlaskConical, Send } from "lucide-react";
import { audience, type TestResult } from "#contract/calls/audience.ts";
import { channelMeaning } from "#contract/delivery.ts";
import { noChannels } from "#contract/calls/notification-fields.ts";
import { CancelledError } from "#web/api/call-errors.ts";
import { reasonOf } from "#web/api/reason-of.ts";
import { useWrite } from "#web/api/use-write.ts";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { draftOf } from "#web/domain/message/use-preview.ts";
import { useShowOnChange } from "#web/ui/browser/use-show-on-change.ts";
import { Button } from "#web/ui/page/button.tsx";

const looks = {
  sent: { Icon: CircleCheck, color: "text-good" },
  sandbox: { Icon: FlaskConical, color: "text-lamp-ink" },
  failed: { Icon: CircleAlert, color: "text-warn" },
};

/** Sends the message as it is written now to who writes it, and says what became of it on each channel. */
export function SendTest() {
  const { form, values, preview, busy, ...surroundings } = useMessage();
  const test = useWrite(audience.sendTest);
  const section = useShowOnChange<HTMLDivElement>(test.status);
  const send = () => {
    if (values.channels.length === 0) return form.setError("channels", { message: noChannels });
    const { recipients: _, attachments: _files, ...draft } = draftOf(values, surroundings);
    const attachments = values.attachments.map(({ id }) => ({ id }));
    test.mutate({ body: { ...draft, attachments } });
  };
  return (
    <div ref={section} className="flex flex-col items-start gap-2">
      <Button
        size="sm"
        icon={<Send aria-hidden />}
        busy={test.isPending}
        disabled={busy || !preview.written}
        onClick={send}
      >
        Send a test to me
      </Button>
      <div aria-live="polite" className="text-sm">
        {test.error && !(test.error instanceof CancelledError) && (
          <p className="text-bad">{reasonOf(test.error)}</p>
        )}
        {test.data && (
          <ul className="flex flex-col gap-1.5">
            {test.data.map((result) => (
              <Result key={result.channel} {...result} />
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

function Result({ channel, outcome, text }: TestResult) {
  const { Icon, color } = looks[outcome];
  return (
    <li className="flex items-start gap-2">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${color}`} />
      <p className="min-w-0 break-words">
        <span className="font-semibold">{channelMeaning[channel].choice}</span>{" "}
        <span className="text-ink-2">{text}</span>
      </p>
    </li>
  );
}
