import { FileText, Image, X } from "lucide-react";
import type { ReactNode } from "react";
import {
  ATTACHMENTS_MAX_COUNT,
  ATTACHMENTS_TOTAL_MAX,
  EDIT_ATTACHMENT_MAX,
  MEGABYTE,
  filesNote,
} from "#contract/attachments.ts";
import type { Attachment } from "#contract/attachments.ts";
import type { Channel } from "#contract/delivery.ts";
import type { useUploads } from "#web/features/notifications/edit/use-uploads.ts";
import { FieldError } from "#web/ui/field.tsx";
import { FileDrop } from "#web/ui/file-drop.tsx";
import { megabytes } from "#web/ui/file-size.ts";
import { Progress } from "#web/ui/progress.tsx";

const accept = {
  "application/pdf": [".pdf"],
  "image/jpeg": [".jpg", ".jpeg"],
  "image/png": [".png"],
  "image/gif": [".gif"],
};
const HINT = `PDF, JPG, PNG, GIF, max ${EDIT_ATTACHMENT_MAX / MEGABYTE}MB per file`;
const refusals = {
  type: "Only PDF, JPG, PNG and GIF files can be attached.",
  size: `This file is larger than ${EDIT_ATTACHMENT_MAX / MEGABYTE} MB.`,
};

type Props = {
  value: readonly Attachment[];
  /** Those that the message goes out on. */
  channels: readonly Channel[];
  onChange: (value: Attachment[]) => void;
  uploads: ReturnType<typeof useUploads>;
  error: string | undefined;
  disabled?: boolean;
};

export function AttachmentsField({ value, channels, onChange, uploads, error, disabled = false }: Props) {
  const coming = uploads.list.filter((one) => one.trouble === null);
  const note = value.length + uploads.list.length > 0 ? filesNote(channels) : "";
  const take = (files: readonly File[]) => {
    let count = value.length + coming.length;
    let total = [...value, ...coming].reduce((sum, one) => sum + one.size, 0);
    for (const file of files) {
      const trouble = overfull(file, count, total);
      uploads.add(file, trouble);
      if (trouble !== null) continue;
      count += 1;
      total += file.size;
    }
  };
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">Attachments</h3>
      {value.length === 0 && uploads.list.length === 0 && (
        <p className="text-sm text-ink-3">No attachments yet</p>
      )}
      <ul className="flex flex-col gap-2 empty:hidden">
        {value.map((file) => (
          <FileLine
            key={file.id}
            name={file.name}
            image={file.type !== "application/pdf"}
            disabled={disabled}
            onRemove={() => onChange(value.filter((one) => one.id !== file.id))}
          >
            {megabytes(file.size)}
          </FileLine>
        ))}
        {uploads.list.map((one) => (
          <FileLine
            key={`upload-${one.key}`}
            name={one.name}
            image={!one.name.toLowerCase().endsWith(".pdf")}
            disabled={disabled}
            onRemove={() => uploads.drop(one.key)}
            below={
              one.trouble === null ? (
                <Progress label={`Uploading ${one.name}`} value={one.share} max={1} className="mt-1.5" />
              ) : (
                <FieldError message={one.trouble} />
              )
            }
          >
            {megabytes(one.size)}
          </FileLine>
        ))}
      </ul>
      <FileDrop
        label="Attachments"
        hint={HINT}
        accept={accept}
        maxSize={EDIT_ATTACHMENT_MAX}
        multiple
        disabled={disabled}
        onFiles={take}
        onRejected={(rejected) => {
          for (const { file, reason } of rejected) uploads.add(file, refusals[reason]);
        }}
      />
      {note && <p className="text-sm text-warn">{note}</p>}
      <FieldError message={error} />
    </div>
  );
}

function overfull(file: File, count: number, total: number): string | null {
  if (file.size === 0) return "This file is empty.";
  if (count >= ATTACHMENTS_MAX_COUNT) return `At most ${ATTACHMENTS_MAX_COUNT} files can be attached.`;
  return total + file.size > ATTACHMENTS_TOTAL_MAX
    ? `All files together may have ${ATTACHMENTS_TOTAL_MAX / MEGABYTE} MB, more is refused by mail servers.`
    : null;
}

type LineProps = {
  name: string;
  image: boolean;
  disabled: boolean;
  onRemove: () => void;
  below?: ReactNode;
  children: ReactNode;
};

function FileLine({ name, image, disabled, onRemove, below, children }: LineProps) {
  const Icon = image ? Image : FileText;
  return (
    <li className="rounded-md border border-line px-3 py-1.5 text-sm">
      <span className="flex items-center gap-2.5">
        <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
        <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
        <span className="whitespace-nowrap text-ink-3 tabular">{children}</span>
        <button
          type="button"
          aria-label={`Remove ${name}`}
          disabled={disabled}
          onClick={onRemove}
          className="-mr-1.5 grid size-8 place-items-center rounded-md text-ink-2 hover:bg-hover hover:text-ink touch:size-11"
        >
          <X aria-hidden className="size-4" />
        </button>
      </span>
      {below}
    </li>
  );
}
