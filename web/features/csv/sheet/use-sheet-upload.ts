import { useEffect, useRef, useState } from "react";
import { imports, SHEET_FILE_MAX } from "#contract/calls/imports.ts";
import { isolated } from "#contract/text/isolate.ts";
import { reasonWithoutStatus } from "#web/api/reason-of.ts";
import { uploadFile } from "#web/api/upload-file.ts";

export type SheetUpload = {
  /** The name of the file that is being read. */
  reading: string | null;
  /** Why the last one couldn't be, in a sentence. */
  trouble: string | null;
  upload: (file: File) => void;
  /** Forgets the trouble. */
  clear: () => void;
};

/** Uploads a spreadsheet, which the server reads. */
export function useSheetUpload(onRead: (id: number) => void): SheetUpload {
  const [reading, setReading] = useState<string | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  return {
    reading,
    trouble,
    clear: () => setTrouble(null),
    upload(file) {
      abort.current.abort();
      const mine = new AbortController();
      abort.current = mine;
      setTrouble(null);
      if (file.size > SHEET_FILE_MAX) {
        setReading(null);
        setTrouble(`"${isolated(file.name)}" is larger than 10 MB. Split it, or remove the pictures in it.`);
        return;
      }
      setReading(file.name);
      uploadFile(imports.upload, file, { signal: mine.signal, onProgress: () => undefined }).then(
        ({ id }) => {
          if (mine.signal.aborted) return;
          setReading(null);
          onRead(id);
        },
        (error: unknown) => {
          if (mine.signal.aborted) return;
          setReading(null);
          setTrouble(reasonWithoutStatus(error, "We couldn't read this file"));
        },
      );
    },
  };
}
