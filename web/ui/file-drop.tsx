import { Paperclip } from "lucide-react";
import type { ReactNode } from "react";
import { useDropzone } from "react-dropzone";
import { cx } from "#web/ui/class-names.ts";

export type RejectedFile = { file: File; reason: "type" | "size" };

type Props = {
  /** Names what it is for: "Attachments". */
  label: string;
  /** Under the invitation: "PNG, JPG, PDF up to 10MB". */
  hint: string;
  /** MIME type → endings: { "image/png": [".png"] }. */
  accept: Record<string, string[]>;
  /** In bytes. */
  maxSize: number;
  multiple?: boolean;
  disabled?: boolean;
  onFiles: (files: File[]) => void;
  onRejected?: (rejected: RejectedFile[]) => void;
  children?: ReactNode;
};

/** A place to drop files on, or to click and choose. Names and sizes are checked here, contents by the server. */
export function FileDrop({
  label,
  hint,
  accept,
  maxSize,
  multiple,
  disabled,
  onFiles,
  onRejected,
  children,
}: Props) {
  const { getRootProps, getInputProps, isDragActive } = useDropzone({
    accept,
    maxSize,
    multiple: multiple ?? false,
    disabled: disabled ?? false,
    onDrop: (taken, refused) => {
      if (taken.length > 0) onFiles(taken);
      if (refused.length > 0) {
        onRejected?.(
          refused.map(({ file, errors }) => ({
            file,
            reason: errors.some((error) => error.code === "file-too-large") ? "size" : "type",
          })),
        );
      }
    },
  });
  return (
    <div
      {...getRootProps({ role: "button", "aria-label": `${label}: choose files or drop them here. ${hint}` })}
      className={cx(
        "flex cursor-pointer flex-wrap items-center justify-center gap-x-2.5 gap-y-1 rounded-md border border-dashed border-edge px-4 py-4 text-center text-sm text-ink-2 transition-colors hover:bg-hover",
        isDragActive && "border-focus bg-lamp-soft text-lamp-ink",
        disabled && "cursor-not-allowed opacity-55",
      )}
    >
      <input {...getInputProps()} />
      {children ?? (
        <>
          <Paperclip aria-hidden className="size-4" />
          <span className="font-medium">
            {isDragActive ? "Drop them here" : "Choose files or drop them here"}
          </span>
          <span className="text-ink-3">{hint}</span>
        </>
      )}
    </div>
  );
}
