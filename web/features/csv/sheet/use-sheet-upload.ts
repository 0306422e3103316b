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
  /** @param encoding the one that someone chose for a text file; otherwise the server guesses */
  upload: (file: File, encoding?: string) => void;
  /** Forgets the trouble. */
  clear: () => void;
};

/** The server doesn't keep the file itself, which someone may want to have read in another encoding. */
let last: { id: number; file: File } | null = null;

/** The file of an import, if this page uploaded it last. */
export const uploadedFile = (id: number): File | null => (last?.id === id ? last.file : null);

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
    upload(file, encoding) {
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
      uploadFile(imports.upload, file, {
        signal: mine.signal,
        onProgress: () => undefined,
        query: { encoding },
      }).then(
        ({ id }) => {
          last = { id, file };
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
