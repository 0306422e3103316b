import { MessageSquare } from "lucide-react";
import { useWatch } from "react-hook-form";
import { withPlainQuotes } from "#web/features/compose/plain-quotes.ts";
import { smsCostSentences } from "#web/features/compose/reach-words.ts";
import type { Compose } from "#web/features/compose/use-compose.ts";
import { Button } from "#web/ui/button.tsx";

/** What the text message costs and which letter makes it dear, with the one-click mend. Silent for one plain part. */
export function SmsCost({ compose }: { compose: Compose }) {
  const { form, preview, sending } = compose;
  const [channels, messageType, customMessage] = useWatch({
    control: form.control,
    name: ["channels", "messageType", "customMessage"],
  });
  const sms = channels.includes("sms") ? preview.preview?.sms : undefined;
  const sentence = sms ? smsCostSentences(sms.worst) : "";
  const mendable =
    sms?.plain !== null && messageType === "custom" && withPlainQuotes(customMessage) !== customMessage;
  return (
    <div
      aria-live="polite"
      className={sentence ? "flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-2" : "sr-only"}
    >
      {sentence && (
        <>
          <p className="flex min-w-0 flex-1 items-start gap-2">
            <MessageSquare aria-hidden className="mt-[3px] size-4 shrink-0 text-sms" />
            <span className="min-w-0">{sentence}</span>
          </p>
          {mendable && (
            <Button
              size="sm"
              disabled={sending}
              onClick={() => form.setValue("customMessage", withPlainQuotes(customMessage))}
            >
              Use plain quotes
            </Button>
          )}
        </>
      )}
    </div>
  );
}
