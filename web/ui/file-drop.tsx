import { Paperclip } from "lucide-react";
import { useId } from "react";
import { useDropzone } from "react-dropzone";
import { cx } from "#web/ui/class-names.ts";

export type RejectedFile = { file: File; reason: "type" | "size" };

type Props = {
  /** Names what it is for: "Attachments". */
  label: string;
  /** Beside the invitation: "PNG, JPG, PDF up to 10MB". */
  hint: string;
  /** MIME type → endings: { "image/png": [".png"] }. One of the two is enough: not every system knows both. */
  accept: Record<string, string[]>;
  /** In bytes. */
  maxSize: number;
  multiple?: boolean;
  disabled?: boolean;
  onFiles: (files: File[]) => void;
  /** Contents are the server's to check; here only name, type and size tell. */
  onRejected?: (rejected: RejectedFile[]) => void;
};

/** A place to drop files on, or to click and choose. */
export function FileDrop(props: Props) {
  const { label, hint, accept, maxSize, multiple = false, disabled = false, onFiles, onRejected } = props;
  const hintId = useId();
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    accept,
    maxSize,
    multiple,
    disabled,
    // The button below takes clicks and keys, so that there is one thing to focus, and it has a name.
    noClick: true,
    noKeyboard: true,
    onDropAccepted: onFiles,
    onDropRejected: (rejections) =>
      onRejected?.(
        rejections.map(({ file, errors }) => ({
          file,
          reason: errors.some(({ code }) => code === "file-invalid-type") ? "type" : "size",
        })),
      ),
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
