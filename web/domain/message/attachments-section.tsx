import { FileText, Image, RotateCw, X } from "lucide-react";
import { useRef, type ReactNode } from "react";
import { useController } from "react-hook-form";
import { isolated } from "#contract/text/isolate.ts";
import type { Upload } from "#web/api/use-uploads.ts";
import { filesSentence } from "#web/domain/message/reach-text.ts";
import { useMessage } from "#web/domain/message/message-form.tsx";
import { Button } from "#web/ui/page/button.tsx";
import { Field } from "#web/ui/form/field.tsx";
import { FileDrop } from "#web/ui/form/file-drop.tsx";
import { megabytes } from "#web/ui/browser/file-size.ts";
import { Progress } from "#web/ui/feedback/progress.tsx";
import { useShowOnChange } from "#web/ui/browser/use-show-on-change.ts";

/** Files for the message: uploaded, uploading, and those that cannot be attached. */
export function AttachmentsSection() {
  const { form, values, uploads, reach, files, busy } = useMessage();
  const { field, fieldState } = useController({ control: form.control, name: "attachments" });
  const fileButton = useRef<HTMLButtonElement>(null);
  const change = (make: () => void) => {
    make();
    form.clearErrors("attachments");
    // The button that was clicked goes, and its focus would be lost with it.
    fileButton.current?.focus();
  };
  // A file that arrives changes neither number, so nothing moves while someone types.
  const rows = field.value.length + uploads.list.length;
  const troubles = uploads.list.filter(({ trouble }) => trouble !== null).length;
  const section = useShowOnChange<HTMLFieldSetElement>(`${rows} ${troubles}`);
  const note = rows > 0 ? filesSentence(values.channels, reach.reach) : "";
  return (
    <Field
      group
      label="Attachments"
      error={fieldState.error?.message}
      hint={note && <span className="text-warn">{note}</span>}
    >
      {({ id, "aria-describedby": described }) => (
        <fieldset
          ref={section}
          aria-labelledby={`${id}-label`}
          aria-describedby={described}
          // Gets the focus when something is wrong with the files; the file input is inside.
          tabIndex={-1}
          data-invalid={fieldState.error ? true : undefined}
          className="flex min-w-0 scroll-my-3 flex-col gap-2 rounded-md outline-none"
        >
          {rows === 0 && files.none && <p className="text-sm text-ink-3">{files.none}</p>}
          {rows > 0 && (
            <ul className="divide-y divide-line rounded-md border border-line">
              {field.value.map((file) => (
                <FileRow
                  key={file.id}
                  name={file.name}
                  size={file.size}
                  type={file.type}
                  actions={
                    <Remove
                      name={file.name}
                      onClick={() =>
                        change(() => field.onChange(field.value.filter(({ id: other }) => other !== file.id)))
                      }
                    />
                  }
                />
              ))}
              {uploads.list.map((upload) => (
                <UploadRow
                  key={upload.key}
                  upload={upload}
                  onRetry={() => change(() => uploads.retry(upload))}
                  onDrop={() => change(() => uploads.drop(upload))}
                />
              ))}
            </ul>
          )}
          <FileDrop
            ref={fileButton}
            label="Attachments"
            hint={files.hint}
            accept={files.limits.accept}
            maxSize={files.limits.maxSize}
            multiple
            disabled={busy}
            onFiles={uploads.add}
            onRejected={uploads.reject}
          />
        </fieldset>
      )}
    </Field>
  );
}

type RowProps = { name: string; size: number; type: string; actions: ReactNode; children?: ReactNode };

function FileRow({ name, size, type, actions, children }: RowProps) {
  const Icon = type.startsWith("image/") ? Image : FileText;
  return (
    <li className="flex items-center gap-3 py-1.5 pr-1.5 pl-3 text-sm">
      <Icon aria-hidden className="size-4 shrink-0 text-ink-3" />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap gap-x-2">
          <span className="min-w-0 font-medium break-all">{name}</span>
          <span className="text-ink-3 tabular">{megabytes(size)}</span>
        </p>
        {children}
      </div>
      {actions}
    </li>
  );
}

type UploadRowProps = { upload: Upload; onRetry: () => void; onDrop: () => void };

function UploadRow({ upload: { file, share, trouble, again }, onRetry, onDrop }: UploadRowProps) {
  return (
    <FileRow
      name={file.name}
      size={file.size}
      type={file.type}
      actions={
        <>
          {again && trouble !== null && (
            <Button
              size="sm"
              icon={<RotateCw aria-hidden />}
              onClick={onRetry}
              aria-label={`Retry ${isolated(file.name)}`}
            >
              Retry
            </Button>
          )}
          <Remove name={file.name} cancel={trouble === null} onClick={onDrop} />
        </>
      }
    >
      {trouble === null ? (
        <Progress
          value={Math.round(share * 100)}
          label={`Uploading ${isolated(file.name)}`}
          className="mt-1.5"
        />
      ) : (
        <p role="alert" className="text-bad">
          {trouble}
        </p>
      )}
    </FileRow>
  );
}

type RemoveProps = { name: string; cancel?: boolean; onClick: () => void };

function Remove({ name, cancel, onClick }: RemoveProps) {
  return (
    <Button
      size="icon"
      variant="ghost"
      aria-label={cancel ? `Cancel the upload of ${isolated(name)}` : `Remove ${isolated(name)}`}
      onClick={onClick}
    >
      <X aria-hidden />
    </Button>
  );
}
