import { useEffect, useRef, useState } from "react";
import type { Attachment } from "#contract/attachments.ts";
import { ApiError } from "#web/api/client.ts";
import { uploadFile } from "#web/api/upload-file.ts";

export type Upload = {
  key: number;
  name: string;
  size: number;
  /** 0 to 1. */
  share: number;
  /** Why it is not attached, in a sentence; null while it is on its way. */
  trouble: string | null;
};

/** Files on their way to the server; one that has arrived leaves this list and is told to `onArrived`. */
export function useUploads(onArrived: (attachment: Attachment) => void) {
  const [list, setList] = useState<Upload[]>([]);
  const running = useRef(new Map<number, AbortController>());
  const lastKey = useRef(0);

  useEffect(() => {
    const all = running.current;
    return () => {
      for (const abort of all.values()) abort.abort();
    };
  }, []);

  const change = (key: number, to: Partial<Upload>) =>
    setList((now) => now.map((one) => (one.key === key ? { ...one, ...to } : one)));
  const forget = (key: number) => setList((now) => now.filter((one) => one.key !== key));

  const run = async (key: number, file: File) => {
    const abort = new AbortController();
    running.current.set(key, abort);
    try {
      const arrived = await uploadFile(file, {
        signal: abort.signal,
        onProgress: (share) => change(key, { share }),
      });
      forget(key);
      onArrived(arrived);
    } catch (error) {
      if (!abort.signal.aborted) {
        change(key, { trouble: why(error) });
      }
    } finally {
      running.current.delete(key);
    }
  };

  return {
    list,
    busy: list.some((one) => one.trouble === null),
    /** Lists a file with its trouble, or starts its upload. */
    add(file: File, trouble: string | null) {
      lastKey.current += 1;
      const key = lastKey.current;
      setList((now) => [...now, { key, name: file.name, size: file.size, share: 0, trouble }]);
      if (trouble === null) void run(key, file);
    },
    /** Stops one that is on its way and forgets it. */
    drop(key: number) {
      running.current.get(key)?.abort();
      forget(key);
    },
  };
}

function why(error: unknown): string {
  if (error instanceof ApiError) return error.reason;
  return error instanceof Error ? error.message : "The upload failed.";
}
