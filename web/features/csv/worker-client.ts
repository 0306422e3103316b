import type { CsvWorkerMethods, Request, Response } from "#web/features/csv/csv-worker.ts";

type Waiting = { resolve: (value: unknown) => void; reject: (error: Error) => void };

/** The worker that reads and writes files. It starts with the first call. */
export class CsvWorker {
  #worker: Worker | undefined;
  #waiting = new Map<number, Waiting>();
  #lastId = 0;

  call<Name extends keyof CsvWorkerMethods>(
    method: Name,
    ...args: Parameters<CsvWorkerMethods[Name]>
  ): Promise<Awaited<ReturnType<CsvWorkerMethods[Name]>>> {
    const worker = (this.#worker ??= this.#start());
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      const transferred = args.filter(
        (arg) => (arg as unknown) instanceof ArrayBuffer,
      ) as unknown as Transferable[];
      worker.postMessage({ id, method, args } satisfies Request, transferred);
    });
  }

  /** Ends it and fails the calls that are still waiting. */
  stop(): void {
    this.#worker?.terminate();
    this.#fail("The file was closed");
  }

  #start(): Worker {
    const worker = new Worker(new URL("./csv-worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<Response>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if ("error" in data) waiting?.reject(new Error(data.error));
      else waiting?.resolve(data.value);
    });
    worker.addEventListener("error", () => this.#fail("We couldn't read the file"));
    return worker;
  }

  #fail(message: string): void {
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(new Error(message));
    this.#waiting.clear();
  }
}
