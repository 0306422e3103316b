import { Paperclip } from "lucide-react";
import { useId, useRef, useState } from "react";
import { acceptAttribute, sortFiles } from "#web/ui/chosen-files.ts";
import type { FileRules, RejectedFile } from "#web/ui/chosen-files.ts";
import { cx } from "#web/ui/class-names.ts";

type Props = FileRules & {
  /** Names what it is for: "Attachments". */
  label: string;
  /** Beside the invitation: "PNG, JPG, PDF up to 10MB". */
  hint: string;
  disabled?: boolean;
  onFiles: (files: File[]) => void;
  onRejected?: (rejected: RejectedFile[]) => void;
};

/** A place to drop files on, or to click and choose. */
export function FileDrop({ label, hint, accept, maxSize, multiple, disabled, onFiles, onRejected }: Props) {
  const hintId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (files: Iterable<File>) => {
    const { taken, rejected } = sortFiles([...files], { accept, maxSize, multiple });
    if (taken.length > 0) onFiles(taken);
    if (rejected.length > 0) onRejected?.(rejected);
  };
  return (
    <div
      role="presentation"
      onDragOver={(event) => {
        // Without this the browser would leave the page and open the file.
        event.preventDefault();
        setOver(!disabled && event.dataTransfer.types.includes("Files"));
      }}
      onDragLeave={(event) => {
        const inside =
          event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget);
        if (!inside) setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        if (!disabled) take(event.dataTransfer.files);
      }}
      className={cx(
        "relative flex flex-wrap items-center justify-center gap-x-2.5 gap-y-1 rounded-md border border-dashed border-edge px-4 py-4 text-center text-sm text-ink-2 transition-colors",
        over && "border-focus bg-lamp-soft text-lamp-ink",
        disabled ? "opacity-55" : "hover:bg-hover",
      )}
    >
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept={acceptAttribute(accept)}
        multiple={multiple}
        disabled={disabled}
        onChange={(event) => {
          take(event.target.files ?? []);
          // The same file, chosen again, is a choice again.
          event.target.value = "";
        }}
      />
      <Paperclip aria-hidden className="size-4" />
      {/* Stretched over the whole place, so that a click anywhere in it chooses. */}
      <button
        type="button"
        disabled={disabled}
        aria-describedby={hintId}
        onClick={() => input.current?.click()}
        className="font-medium after:absolute after:inset-0 after:rounded-md after:content-[''] focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-focus"
      >
        {over ? "Drop them here" : "Choose files or drop them here"}
      </button>
      <span id={hintId} className="text-ink-3">
        {hint}
      </span>
    </div>
  );
}
