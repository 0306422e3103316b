import { Paperclip } from "lucide-react";
import { useId } from "react";
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
};

/** A place to drop files on, or to click and choose. Names and sizes are checked here, contents by the server. */
export function FileDrop({ label, hint, accept, maxSize, multiple, disabled, onFiles, onRejected }: Props) {
  const hintId = useId();
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    // Its own click and keys would make a button of the whole place, around the input that it holds.
    noClick: true,
    noKeyboard: true,
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
      {...getRootProps()}
      className={cx(
        "relative flex flex-wrap items-center justify-center gap-x-2.5 gap-y-1 rounded-md border border-dashed border-edge px-4 py-4 text-center text-sm text-ink-2 transition-colors",
        isDragActive && "border-focus bg-lamp-soft text-lamp-ink",
        disabled ? "opacity-55" : "hover:bg-hover",
      )}
    >
      <input {...getInputProps({ "aria-label": label })} />
      <Paperclip aria-hidden className="size-4" />
      {/* Stretched over the whole place, so that a click anywhere in it chooses. */}
      <button
        type="button"
        disabled={disabled}
        aria-describedby={hintId}
        onClick={open}
        className="font-medium after:absolute after:inset-0 after:rounded-md after:content-[''] focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-focus"
      >
        {isDragActive ? "Drop them here" : "Choose files or drop them here"}
      </button>
      <span id={hintId} className="text-ink-3">
        {hint}
      </span>
    </div>
  );
}
