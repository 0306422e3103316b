import { useEffect, useRef, useState } from "react";
import { SHEET_FILE_MAX } from "#contract/calls/imports.ts";
import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import { isolated } from "#contract/text/isolate.ts";
import { reasonWithoutStatus } from "#web/api/reason-of.ts";
import { uploadFile } from "#web/api/upload-file.ts";

/** Uploads a spreadsheet to a call, whose answer says how the server reads it. */
export function useSheetUploadTo<E extends Endpoint>(
  endpoint: E,
  onRead: (reply: ReplyOf<E>, file: File) => void,
) {
  const [reading, setReading] = useState<string | null>(null);
  const [share, setShare] = useState(0);
  const [trouble, setTrouble] = useState<string | null>(null);
  const abort = useRef(new AbortController());
  useEffect(() => () => abort.current.abort(), []);
  return {
    /** The name of the file that is being read. */
    reading,
    /** How much of it has been sent, 0 to 1. */
    share,
    /** Why the last one couldn't be read, in a sentence. */
    trouble,
    /** Forgets the trouble. */
    clear: () => setTrouble(null),
    /** @param query besides the file's name */
    upload: (file: File, query?: Record<string, string | undefined>): void => {
      abort.current.abort();
      const mine = new AbortController();
      abort.current = mine;
      setTrouble(null);
      setShare(0);
      if (file.size > SHEET_FILE_MAX) {
        setReading(null);
        setTrouble(`"${isolated(file.name)}" is larger than 10 MB. Split it, or remove the pictures in it.`);
        return;
      }
      setReading(file.name);
      uploadFile(endpoint, file, { signal: mine.signal, onProgress: setShare, query }).then(
        (reply) => {
          if (mine.signal.aborted) return;
          setReading(null);
          onRead(reply, file);
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
