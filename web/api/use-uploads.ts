import { useEffect, useRef, useState } from "react";
import { type Attachment, attachments } from "#contract/calls/attachments.ts";
import { reasonWithoutStatus } from "#web/api/reason-of.ts";
import type { FileLimits } from "#web/api/file-limits.ts";
import { uploadFile } from "#web/api/upload-file.ts";

export type Upload = {
  key: number;
  file: File;
  /** 0 to 1. */
  share: number;
  /** Why it failed, in a sentence; null while it runs. */
  trouble: string | null;
  /** A retry may help: it failed on the way, not because of the file. */
  again: boolean;
};

export type Uploads = {
  list: Upload[];
  /** Some are running, or failed on the way: they are not in the form, and closing it would lose them. */
  unfinished: boolean;
  add: (files: readonly File[]) => void;
  /** Lists files that cannot be attached, with the reason, so that none disappears silently. */
  reject: (files: readonly { file: File; reason: "type" | "size" }[]) => void;
  retry: (upload: Upload) => void;
  /** Cancels a running upload and removes a failed one. */
  drop: (upload: Upload) => void;
  /** Resolves when none is running: whether all of them arrived. */
  settled: () => Promise<boolean>;
};

type Options = {
  limits: FileLimits;
  /** Files that arrived before. */
  present: () => readonly Attachment[];
  onArrived: (attachment: Attachment) => void;
};

/** Files being uploaded. One that has arrived belongs to the form and leaves this list. */
export function useUploads({ limits, present, onArrived }: Options): Uploads {
  const [list, setList] = useState<Upload[]>([]);
  const running = useRef(new Map<number, { abort: AbortController; arrived: Promise<boolean> }>());
  const lastKey = useRef(0);

  useEffect(() => {
    const all = running.current;
    return () => {
      for (const { abort } of all.values()) abort.abort();
    };
  }, []);

  const change = (key: number, to: Partial<Upload>) =>
    setList((now) => now.map((one) => (one.key === key ? { ...one, ...to } : one)));
  const forget = (key: number) => setList((now) => now.filter((one) => one.key !== key));

  const run = async ({ key, file }: Upload, { signal }: AbortController): Promise<boolean> => {
    try {
      const trouble = await limits.contentTrouble(file);
      if (trouble) {
        change(key, { trouble, again: false });
        return false;
      }
      onArrived(
        await uploadFile(attachments.upload, file, { signal, onProgress: (share) => change(key, { share }) }),
      );
      forget(key);
      return true;
    } catch (error) {
      if (signal.aborted) return true;
      change(key, { trouble: reasonWithoutStatus(error, "The upload failed."), again: true });
      return false;
    } finally {
      running.current.delete(key);
    }
  };

  const start = (upload: Upload) => {
    const abort = new AbortController();
    running.current.set(upload.key, { abort, arrived: run(upload, abort) });
  };

  const listed = (file: File, trouble: string | null): Upload => {
    lastKey.current += 1;
    return { key: lastKey.current, file, share: 0, trouble, again: false };
  };

  return {
    list,
    unfinished: list.some(({ trouble, again }) => trouble === null || again),
    add(files) {
      const taken = [...present(), ...list.filter((one) => one.trouble === null).map((one) => one.file)];
      const added: Upload[] = [];
      for (const file of files) {
        const trouble = limits.sizeTrouble(file, taken) ?? null;
        added.push(listed(file, trouble));
        if (trouble === null) taken.push(file);
      }
      setList((now) => [...now, ...added]);
      for (const upload of added) if (upload.trouble === null) start(upload);
    },
    reject(files) {
      const added = files.map(({ file, reason }) => listed(file, limits.rejection(file, reason)));
      setList((now) => [...now, ...added]);
    },
    retry(upload) {
      change(upload.key, { trouble: null, share: 0 });
      start(upload);
    },
    drop({ key }) {
      running.current.get(key)?.abort.abort();
      forget(key);
    },
    async settled() {
      const failedBefore = list.some((one) => one.trouble !== null);
      const arrived = await Promise.all([...running.current.values()].map((one) => one.arrived));
      return !failedBefore && arrived.every(Boolean);
    },
  };
}
