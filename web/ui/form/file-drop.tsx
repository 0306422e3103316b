import { Paperclip } from "lucide-react";
import { useId, type ReactNode, type Ref } from "react";
import { useDropzone } from "react-dropzone";
import { cx } from "#web/ui/browser/class-names.ts";

type RejectedFile = { file: File; reason: "type" | "size" };

type Props = {
  /** The button, for the focus. */
  ref?: Ref<HTMLButtonElement>;
  /** The accessible name: "Attachments". */
  label: string;
  /** The hint: "PNG, JPG, PDF up to 10MB". */
  hint: string;
  /** MIME type → extensions: { "image/png": [".png"] }. Matching one of them is enough, because systems vary. */
  accept: Record<string, string[]>;
  /** In bytes. */
  maxSize: number;
  multiple?: boolean;
  icon?: ReactNode;
  /** What the button says instead of "Choose a file or drop it here". */
  text?: string;
  disabled?: boolean;
  onFiles: (files: File[]) => void;
  /** Files rejected by name, type or size. The server checks the content. */
  onRejected?: (rejected: RejectedFile[]) => void;
};

/** An area for dropping files, or clicking to choose them. */
export function FileDrop(props: Props) {
  const {
    ref,
    label,
    hint,
    accept,
    maxSize,
    multiple = false,
    icon = <Paperclip aria-hidden />,
    text = `Choose ${multiple ? "files or drop them" : "a file or drop it"} here`,
    disabled = false,
    onFiles,
    onRejected,
  } = props;
  const hintId = useId();
  const { getRootProps, getInputProps, isDragActive, open } = useDropzone({
    accept,
    maxSize,
    multiple,
    disabled,
    // The button below handles clicks and keys, so that there is one focusable element with a name.
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
        "[&_svg]:size-4 relative flex flex-wrap items-center justify-center gap-x-2.5 gap-y-1 rounded-md border border-dashed border-edge px-4 py-4 text-center text-sm text-ink-2 transition-colors",
        isDragActive && "border-focus bg-sunk",
        disabled ? "opacity-55" : "hover:bg-hover",
      )}
    >
      <input {...getInputProps({ "aria-label": label })} />
      {icon}
      {/* Covers the whole area, so that a click anywhere opens the file dialog. */}
      <button
        ref={ref}
        type="button"
        disabled={disabled}
        aria-describedby={hintId}
        onClick={open}
        className="font-medium after:absolute after:inset-0 after:rounded-md after:content-[''] focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-focus"
      >
        {isDragActive ? `Drop ${multiple ? "them" : "it"} here` : text}
      </button>
      <span id={hintId} className="text-ink-3">
        {hint}
      </span>
    </div>
  );
}
