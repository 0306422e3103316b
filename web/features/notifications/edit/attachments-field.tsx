import { FileText, Image, RotateCw, X } from "lucide-react";
import { useId } from "react";
import type { ReactNode } from "react";
import { EDIT_ATTACHMENT_MAX, MEGABYTE, filesNote } from "#contract/attachments.ts";
import type { Attachment } from "#contract/attachments.ts";
import type { Channel } from "#contract/delivery.ts";
import { fileLimits } from "#web/api/file-limits.ts";
import type { Uploads } from "#web/api/use-uploads.ts";
import { Button } from "#web/ui/button.tsx";
import { FieldError } from "#web/ui/field.tsx";
import { FileDrop } from "#web/ui/file-drop.tsx";
import { megabytes } from "#web/ui/file-size.ts";
import { Progress } from "#web/ui/progress.tsx";

export const editLimits = fileLimits(["PDF", "JPG", "PNG", "GIF"], EDIT_ATTACHMENT_MAX);
const HINT = `PDF, JPG, PNG, GIF, max ${EDIT_ATTACHMENT_MAX / MEGABYTE}MB per file`;

type Props = {
  value: readonly Attachment[];
  /** Those that the message goes out on. */
  channels: readonly Channel[];
  onChange: (value: Attachment[]) => void;
  uploads: Uploads;
  error: string | undefined;
  /** Somebody does something about what the error says. */
  onMend: () => void;
  disabled?: boolean;
};

export function AttachmentsField({
  value,
  channels,
  onChange,
  uploads,
  error,
  onMend,
  disabled = false,
}: Props) {
  const id = useId();
  const note = value.length + uploads.list.length > 0 ? filesNote(channels) : "";
  return (
    <fieldset
      aria-labelledby={`${id}-label`}
      aria-describedby={error ? `${id}-error` : undefined}
      // Takes the focus when something is wrong with the files: what to do about it is in it.
      tabIndex={-1}
      data-invalid={error ? true : undefined}
      className="flex min-w-0 scroll-my-3 flex-col gap-2 rounded-md outline-none"
    >
      <h3 id={`${id}-label`} className="text-sm font-semibold">
        Attachments
      </h3>
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
            onRemove={() => {
              onMend();
              onChange(value.filter((one) => one.id !== file.id));
            }}
          >
            {megabytes(file.size)}
          </FileLine>
        ))}
        {uploads.list.map((upload) => (
          <UploadLine key={`upload-${upload.key}`} upload={upload} uploads={uploads} onMend={onMend} />
        ))}
      </ul>
      <FileDrop
        label="Attachments"
        hint={HINT}
        accept={editLimits.accept}
        maxSize={editLimits.maxSize}
        multiple
        disabled={disabled}
        onFiles={uploads.add}
        onRejected={uploads.reject}
      />
      {note && <p className="text-sm text-warn">{note}</p>}
      <FieldError id={`${id}-error`} message={error} />
    </fieldset>
  );
}

type UploadLineProps = Pick<Props, "uploads" | "onMend"> & { upload: Uploads["list"][number] };

function UploadLine({ upload, uploads, onMend }: UploadLineProps) {
  const { file, share, trouble, again } = upload;
  return (
    <FileLine
      name={file.name}
      image={file.type.startsWith("image/")}
      disabled={false}
      onRemove={() => {
        onMend();
        uploads.drop(upload);
      }}
      actions={
        again &&
        trouble !== null && (
          <Button
            size="sm"
            icon={<RotateCw aria-hidden />}
            aria-label={`Retry ${file.name}`}
            onClick={() => {
              onMend();
              uploads.retry(upload);
            }}
          >
            Retry
          </Button>
        )
      }
      below={
        trouble === null ? (
          <Progress label={`Uploading ${file.name}`} value={share} max={1} className="mt-1.5" />
        ) : (
          <FieldError message={trouble} />
        )
      }
    >
      {megabytes(file.size)}
    </FileLine>
  );
}

type LineProps = {
  name: string;
  image: boolean;
  disabled: boolean;
  onRemove: () => void;
  actions?: ReactNode;
  below?: ReactNode;
  children: ReactNode;
};

function FileLine({ name, image, disabled, onRemove, actions, below, children }: LineProps) {
  const Icon = image ? Image : FileText;
  return (
    <li className="rounded-md border border-line px-3 py-1.5 text-sm">
      <span className="flex items-center gap-2.5">
        <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
        <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
        <span className="whitespace-nowrap text-ink-3 tabular">{children}</span>
        {actions}
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
