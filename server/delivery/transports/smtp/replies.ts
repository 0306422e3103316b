import type { Socket } from "node:net";
import { StringDecoder } from "node:string_decoder";

/** One reply of a server: its code, and all its lines. */
export type Reply = { status: number; text: string };

/** Why no more replies come. `unreadable`: what the server sent instead of one. */
type End = { error?: Error; unreadable?: string };

/** A server that never ends its reply must not fill the memory. */
const LONGEST = 64 * 1024;

/** The replies of a connection, for those who wait for them, in order. */
export class Replies {
  readonly #socket: Socket;
  readonly #decoder = new StringDecoder("utf8");
  readonly #waiting: ((reply: Reply | null) => void)[] = [];
  readonly #watching = new Set<() => void>();
  /** The lines of a reply whose last line has not come. */
  #begun = "";
  #unread = "";
  /** Set once no more replies come. */
  end: End | undefined;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => this.#read(chunk));
    socket.on("error", (error) => this.finish({ error }));
    socket.on("close", () => this.finish({}));
    socket.on("end", () => this.finish({}));
  }

  /** What the promise resolves with, or null if the connection ends before. */
  whileOpen<Value>(promise: Promise<Value>): Promise<Value | null> {
    if (this.end) return Promise.resolve(null);
    return new Promise((resolve) => {
      const end = () => resolve(null);
      this.#watching.add(end);
      void promise.then((value) => {
        this.#watching.delete(end);
        resolve(value);
      });
    });
  }

  /** The next reply that no one else waits for; null if the connection ends before. */
  next(): Promise<Reply | null> {
    if (this.end) return Promise.resolve(null);
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Ends the connection. */
  finish(end: End): void {
    if (this.end) return;
    this.end = end;
    for (const resolve of this.#waiting.splice(0)) resolve(null);
    for (const watcher of this.#watching) watcher();
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    const lines = (this.#unread + this.#decoder.write(chunk)).split("\n");
    this.#unread = lines.pop() ?? "";
    for (const line of lines) this.#take(line.replace(/\r$/, ""));
    if (this.#begun.length + this.#unread.length > LONGEST) this.finish({ unreadable: this.#begun });
  }

  /** Every line has the code, and a hyphen behind it if another line follows (RFC 5321, 4.2.1). */
  #take(line: string): void {
    if (this.end || (line === "" && this.#begun === "")) return;
    const text = this.#begun + line;
    if (!/^[2-5]\d\d(?:[ -]|$)/.test(line)) return this.finish({ unreadable: text });
    if (line[3] === "-") {
      this.#begun = `${text}\n`;
      return;
    }
    this.#begun = "";
    const status = Number(line.slice(0, 3));
    const resolve = this.#waiting.shift();
    resolve?.({ status, text });
    // A server that says 421 closes the connection, and one that replies to nothing is out of step.
    if (status === 421 || !resolve) this.finish({});
  }
}
