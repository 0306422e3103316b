import { Monitor, Moon, Smartphone, Sun } from "lucide-react";
import { useState } from "react";
import type { Preview } from "#contract/calls/audience.ts";
import { isAskedField } from "#contract/text/message-fields.ts";
import { templateChannel } from "#contract/calls/templates.ts";
import { users } from "#contract/calls/users.ts";
import { callList } from "#web/api/client.ts";
import { fieldLabel } from "#web/domain/message/fields.ts";
import { PreviewFrame } from "#web/domain/message/preview-frame.tsx";
import { PreviewPerson, type Person } from "#web/domain/message/preview-person.tsx";
import { partsText } from "#web/domain/message/reach-text.ts";
import { CostText } from "#web/domain/message/sms-cost.tsx";
import { usePreviewOf } from "#web/domain/message/use-preview.ts";
import { fieldsIn, type TemplateForm } from "#web/features/templates/edit/template-form.ts";
import { personName } from "#web/domain/avatar.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { cx } from "#web/ui/browser/class-names.ts";
import { ErrorState } from "#web/ui/feedback/error-state.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { Input } from "#web/ui/form/input.tsx";
import { Segmented } from "#web/ui/form/segmented.tsx";
import { Skeleton } from "#web/ui/feedback/skeleton.tsx";
import type { Found } from "#web/ui/form/use-search.ts";
import { plainSms } from "#contract/text/plain-sms.ts";

/** The settings of the preview: for which person, and with which values. */
export function useTemplatePreview({ type, name, subject, content }: TemplateForm) {
  const [person, choosePerson] = useState<number>();
  const [samples, setSamples] = useState<Record<string, string>>({});
  const preview = usePreviewOf({
    recipients: [],
    channels: [templateChannel[type]],
    title: name,
    subject: type === "Email" ? subject : "",
    formatted: type === "Email",
    message: content,
    fieldValues: samples,
    ...(person === undefined ? {} : { userId: person }),
  });
  return { ...preview, choosePerson, samples, setSamples };
}

type Props = {
  values: TemplateForm;
  shown: ReturnType<typeof useTemplatePreview>;
  /** Replaces the text with plain punctuation. */
  onPlain: (text: string) => void;
};

/** A live preview of the template as a person would get it. */
export function TemplatePreview({ values: { type, subject, content }, shown, onPlain }: Props) {
  const { written, preview, failed, retry, choosePerson, samples, setSamples } = shown;
  const [width, setWidth] = useState<"desktop" | "phone">("desktop");
  const [dark, setDark] = useState(false);
  const asked = fieldsIn(`${type === "Email" ? subject : ""}\n${content}`).filter((field) =>
    isAskedField(field),
  );
  return (
    <section aria-label="Preview" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <PreviewPerson
          search={findPeople}
          source="template-preview"
          person={preview?.person ?? null}
          onChoose={choosePerson}
        />
        <div className="flex items-center gap-2">
          {type === "Email" && (
            <Segmented
              label="Width"
              segments={[
                { value: "desktop", label: <IconLabel label="Desktop" Icon={Monitor} /> },
                { value: "phone", label: <IconLabel label="Phone" Icon={Smartphone} /> },
              ]}
              value={width}
              onChange={setWidth}
            />
          )}
          <Button
            size="icon"
            aria-pressed={dark}
            aria-label="Dark mode"
            title="Dark mode"
            icon={dark ? <Moon aria-hidden /> : <Sun aria-hidden />}
            onClick={() => setDark(!dark)}
          />
        </div>
      </div>
      {!written ? (
        <p className="rounded-lg border border-dashed border-line-strong px-4 py-10 text-center text-sm text-ink-3">
          What you write appears here as your recipients will see it.
        </p>
      ) : failed ? (
        <ErrorState title="We couldn't show the preview" onRetry={retry} />
      ) : !preview ? (
        <Skeleton className="h-80" />
      ) : preview.problem ? (
        <output className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">{preview.problem}</output>
      ) : (
        <div className={cx(width === "phone" && type === "Email" && "mx-auto w-full max-w-80")}>
          <PreviewFrame preview={preview} dark={dark} />
        </div>
      )}
      {preview?.sms && <SmsParts sms={preview.sms} content={content} onPlain={onPlain} />}
      {asked.length > 0 && (
        <fieldset className="grid gap-3 sm:grid-cols-2">
          <legend className="mb-2 text-sm">
            <strong className="font-semibold">Sample values</strong>{" "}
            <span className="text-ink-3">for this preview only</span>
          </legend>
          {asked.map((field) => (
            <Field key={field} label={fieldLabel(field)}>
              {(wiring) => (
                <Input
                  {...wiring}
                  autoComplete="off"
                  value={samples[field] ?? ""}
                  onChange={(event) => setSamples({ ...samples, [field]: event.target.value })}
                />
              )}
            </Field>
          ))}
        </fieldset>
      )}
    </section>
  );
}

async function findPeople(q: string, signal: AbortSignal): Promise<Found<Person>> {
  const { rows } = await callList(users.list, { query: { q, bestFirst: true } }, { signal });
  return {
    options: rows.map((row) => ({ userId: row.id, name: personName(row), propertyUnit: row.propertyUnit })),
  };
}

function IconLabel({ label, Icon }: { label: string; Icon: typeof Monitor }) {
  return (
    <>
      <Icon aria-hidden className="size-4" />
      <span className="sr-only">{label}</span>
    </>
  );
}

type SmsProps = {
  sms: NonNullable<Preview["sms"]>;
  content: string;
  onPlain: (text: string) => void;
};

/** The number of parts, as bars, and the character that makes the text longest, with a way to replace it. */
function SmsParts({ sms, content, onPlain }: SmsProps) {
  const { parts, plainParts } = sms;
  const letter = parts.costlyCharacter;
  const plain = plainSms(content);
  return (
    <div className="flex flex-col gap-2 text-sm text-ink-2" aria-live="polite">
      <div aria-hidden className="flex gap-1">
        {Array.from({ length: Math.min(parts.parts, 12) }, (_, index) => (
          <span key={index} className="h-1.5 flex-1 rounded-full bg-sms" />
        ))}
      </div>
      <p>
        {partsText(parts)}, {parts.length} characters.{" "}
        {letter !== null && <CostText sms={{ ...sms, worst: { ...parts, parts: 1 } }} />}
      </p>
      {letter !== null && plainSms(letter) !== letter && plain !== content && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
          {plainParts !== null && <p>With plain punctuation, it takes {partsText({ parts: plainParts })}.</p>}
          <Button size="sm" onClick={() => onPlain(plain)}>
            Use plain punctuation
          </Button>
        </div>
      )}
    </div>
  );
}
