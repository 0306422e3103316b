import type { Endpoint, ReplyOf } from "#contract/endpoint.ts";
import { address, pageHeaders, settle, whileSignedIn } from "#web/api/client.ts";

type Options = {
  signal: AbortSignal;
  /** 0 to 1. */
  onProgress: (share: number) => void;
  /** Beside the file's name. */
  query?: Record<string, string | undefined> | undefined;
};

/**
 * Stores one file on the server. Uses XMLHttpRequest because fetch cannot report upload progress. Throws ApiError,
 * OfflineError, or an AbortError when `signal` aborts.
 */
export function uploadFile<E extends Endpoint>(
  endpoint: E,
  file: File,
  options: Options,
): Promise<ReplyOf<E>> {
  return whileSignedIn(() => upload(endpoint, file, options));
}

function upload<E extends Endpoint>(
  { method, path }: E,
  file: File,
  { signal, onProgress, query }: Options,
): Promise<ReplyOf<E>> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const giveUp = () => request.abort();
    const finish = (response?: Response) =>
      resolve(settle(response).then(async (taken) => (await taken.json()) as ReplyOf<E>));
    request.open(method, address(path, { query: { name: file.name, ...query } }));
    for (const [name, value] of Object.entries(pageHeaders())) request.setRequestHeader(name, value);
    request.setRequestHeader("Content-Type", file.type || "application/octet-stream");
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      if (total > 0) onProgress(loaded / total);
    });
    request.addEventListener("load", () => {
      const { status, statusText, responseText } = request;
      const headers = { "Content-Type": request.getResponseHeader("Content-Type") ?? "" };
      finish(new Response(responseText, { status, statusText, headers }));
    });
    request.addEventListener("error", () => finish());
    request.addEventListener("abort", () => reject(new DOMException("Cancelled", "AbortError")));
    request.addEventListener("loadend", () => signal.removeEventListener("abort", giveUp));
    signal.addEventListener("abort", giveUp);
    request.send(file);
  });
}
