import { MessageSquare } from "lucide-react";
import { useWatch } from "react-hook-form";
import type { Preview } from "#contract/audience.ts";
import { plainSms } from "#contract/plain-sms.ts";
import { fieldLabel } from "#web/features/compose/message-fields.ts";
import { partsWords } from "#web/features/compose/reach-words.ts";
import type { Compose } from "#web/features/compose/use-compose.ts";
import { Button } from "#web/ui/button.tsx";

type SmsPreview = NonNullable<Preview["sms"]>;

type Props = {
  compose: Pick<Compose, "form" | "preview" | "sending">;
  /** False where the text is written elsewhere. */
  mend?: boolean;
};

const isDear = ({ worst }: SmsPreview) => worst.parts > 1 || worst.costlyCharacter !== null;

/** What the text message costs and which letter makes it dear, with the one-click mend. Silent for one plain part. */
export function SmsCost({ compose, mend = true }: Props) {
  const { form, preview, sending } = compose;
  const [channels, messageType, customMessage] = useWatch({
    control: form.control,
    name: ["channels", "messageType", "customMessage"],
  });
  const sms = channels.includes("sms") ? preview.preview?.sms : null;
  const shown = sms && isDear(sms);
  const letter = sms?.worst.costlyCharacter ?? null;
  // Only where it mends something: not for a letter that has no plain one, nor for one in somebody's name.
  const mendable =
    mend &&
    messageType === "custom" &&
    letter !== null &&
    plainSms(letter) !== letter &&
    customMessage.includes(letter);
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
              <CostWords sms={sms} />
            </span>
          </p>
          {mendable && (
            <Button
              size="sm"
              disabled={sending}
              onClick={() => form.setValue("customMessage", plainSms(customMessage))}
            >
              Use plain punctuation
            </Button>
          )}
        </>
      )}
    </div>
  );
}

/** "The longest text message takes 3 parts. ł from Paweł Nowak’s first name cuts each part from 160 characters to 70." */
export function CostWords({ sms: { worst, costlyFrom } }: { sms: SmsPreview }) {
  return (
    <>
      {worst.parts > 1 && `The longest text message takes ${partsWords(worst)}. `}
      {worst.costlyCharacter !== null && (
        <>
          <span className="rounded-sm bg-sms-soft px-1.5 py-0.5 font-semibold text-sms">
            {worst.costlyCharacter}
          </span>{" "}
          {costlyFrom && (
            <>
              from{" "}
              {costlyFrom.person !== null && (
                <>
                  <bdi>{costlyFrom.person}</bdi>’s{" "}
                </>
              )}
              {fieldLabel(costlyFrom.field).toLowerCase()}{" "}
            </>
          )}
          cuts each part from 160 characters to 70.
        </>
      )}
    </>
  );
}
