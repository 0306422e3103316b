import { MessageSquare } from "lucide-react";
import { useWatch } from "react-hook-form";
import type { Preview } from "#contract/audience.ts";
import { plainSms } from "#contract/plain-sms.ts";
import { partsWords } from "#web/features/compose/reach-words.ts";
import type { Compose } from "#web/features/compose/use-compose.ts";
import { Button } from "#web/ui/button.tsx";

type SmsParts = NonNullable<Preview["sms"]>["worst"];

const isDear = ({ parts, costlyCharacter }: SmsParts) => parts > 1 || costlyCharacter !== null;

/** What the text message costs and which letter makes it dear, with the one-click mend. Silent for one plain part. */
export function SmsCost({ compose }: { compose: Compose }) {
  const { form, preview, sending } = compose;
  const [channels, messageType, customMessage] = useWatch({
    control: form.control,
    name: ["channels", "messageType", "customMessage"],
  });
  const sms = channels.includes("sms") ? preview.preview?.sms : null;
  const shown = sms && isDear(sms.worst);
  const mendable = messageType === "custom" && plainSms(customMessage) !== customMessage;
  return (
    <div
      aria-live="polite"
      className={shown ? "flex flex-wrap items-center gap-x-3 gap-y-2 text-sm" : "sr-only"}
    >
      {shown && (
        <>
          <p className="flex min-w-48 flex-1 items-start gap-2.5 text-ink-2">
            <MessageSquare aria-hidden className="mt-[3px] size-4 shrink-0 text-sms" />
            <span className="min-w-0">
              <CostWords parts={sms.worst} />
            </span>
          </p>
          {mendable && sms.worst.costlyCharacter !== null && (
            <Button
              size="sm"
              disabled={sending}
              onClick={() => form.setValue("customMessage", plainSms(customMessage))}
            >
              Use plain quotes
            </Button>
          )}
        </>
      )}
    </div>
  );
}

/** "The longest text message takes 3 parts. ’ cuts each part from 160 characters to 70." */
export function CostWords({ parts }: { parts: SmsParts }) {
  return (
    <>
      {parts.parts > 1 && `The longest text message takes ${partsWords(parts)}. `}
      {parts.costlyCharacter !== null && (
        <>
          <span className="rounded-sm bg-sms-soft px-1.5 py-0.5 font-semibold text-sms">
            {parts.costlyCharacter}
          </span>{" "}
          cuts each part from 160 characters to 70.
        </>
      )}
    </>
  );
}
