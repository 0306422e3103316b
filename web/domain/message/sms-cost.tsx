import { MessageSquare } from "lucide-react";
import { audience, type Preview } from "#contract/calls/audience.ts";
import { counted } from "#contract/text/count-text.ts";
import { plainSms } from "#contract/text/plain-sms.ts";
import { fieldLabel } from "#web/domain/message/fields.ts";
import { partsText } from "#web/domain/message/reach-text.ts";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { draftOf } from "#web/domain/message/use-preview.ts";
import { useRead } from "#web/api/use-read.ts";
import { useDebounced } from "#web/ui/browser/use-debounced.ts";
import { Button } from "#web/ui/page/button.tsx";

const TYPING_PAUSE = 400;

type SmsPreview = NonNullable<Preview["sms"]>;

/** The character that makes every part shorter, if it is in the text itself. */
export function costlyLetter(sms: SmsPreview | null | undefined): string | undefined {
  return (sms?.costlyFrom === null && sms.worst.costlyCharacter) || undefined;
}

const isCostly = ({ worst }: SmsPreview) => worst.parts > 1 || worst.costlyCharacter !== null;

/**
 * How many parts a text message has and which character makes it longer, with a one-click fix. Shows nothing for a single
 * plain part.
 */
export function SmsCost() {
  const { form, preview, values, ownText } = useMessage();
  const { channels, messageType, customMessage } = values;
  const sms = channels.includes("sms") ? preview.preview?.sms : null;
  const total = useTotal();
  const shown = sms && (isCostly(sms) || total);
  const letter = sms?.worst.costlyCharacter ?? null;
  // Only if it helps: not for a character without a plain equivalent, nor for one in someone's name.
  const fixable =
    (messageType === "custom" || ownText) &&
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
              {total && `${counted(total.texts, "text")} in ${partsText(total)}. `}
              <CostText sms={sms} />
            </span>
          </p>
          {fixable && (
            <Button
              size="sm"
              onClick={() => form.setValue("customMessage", plainSms(customMessage), { shouldDirty: true })}
            >
              Use plain punctuation
            </Button>
          )}
        </>
      )}
    </div>
  );
}

/** All texts and their parts, which differ where each person has values of their own; null where they don't. */
function useTotal() {
  const { values, ...surroundings } = useMessage();
  const differ = values.ownValues !== null && values.channels.includes("sms");
  const { channels: _, attachments: _files, ...draft } = draftOf(values, surroundings);
  const body = useDebounced({ ...draft, perHome: values.perHome }, TYPING_PAUSE);
  const asked = differ && body.recipients.length > 0;
  const { data } = useRead(audience.texts, { body }, { enabled: asked, fresh: true, keep: true });
  return asked ? data : null;
}

/** The character, or its name if it is invisible. */
function letterText(letter: string): string {
  if (/^\p{White_Space}$/u.test(letter)) return "a special space";
  return /^\p{Default_Ignorable_Code_Point}$/u.test(letter) ? "a hidden character" : letter;
}

function Letter({ letter, className }: { letter: string; className: string }) {
  return <span className={`rounded-sm px-1.5 py-0.5 font-semibold ${className}`}>{letterText(letter)}</span>;
}

/** The plain character to use instead, if it is visible. */
function PlainLetter({ letter }: { letter: string }) {
  const plain = plainSms(letter);
  if (plain === letter || plain.trim() === "") return null;
  return (
    <>
      {" "}
      Use <Letter letter={plain} className="bg-quiet-soft text-ink" /> instead.
    </>
  );
}

/** "The longest text message takes 3 parts. ł from Paweł Nowak's first name cuts each part from 160 characters to 70." */
export function CostText({ sms: { worst, costlyFrom } }: { sms: SmsPreview }) {
  return (
    <>
      {worst.parts > 1 && `The longest text message takes ${partsText(worst)}. `}
      {worst.costlyCharacter !== null && (
        <>
          <Letter letter={worst.costlyCharacter} className="bg-sms-soft text-sms" />{" "}
          {costlyFrom && (
            <>
              from{" "}
              {costlyFrom.person !== null && (
                <>
                  <bdi translate="no">{costlyFrom.person}</bdi>'s{" "}
                </>
              )}
              {fieldLabel(costlyFrom.field).toLowerCase()}{" "}
            </>
          )}
          cuts each part from 160 characters to 70.
          {costlyFrom === null && <PlainLetter letter={worst.costlyCharacter} />}
        </>
      )}
    </>
  );
}
