import { createServer, type Socket } from "node:net";

/**
 * An SMTP server that accepts everything, keeps nothing and counts: the other end of the benchmark, in its own process.
 * Each answer leaves `delayMs` after what it answers, like that of a provider some way off. `sink-process.ts` starts it
 * and speaks to it.
 */

export type SinkQuestion = { id: number; count: number; urgent: boolean } | { delayMs: number };
/** `at`: when that many had arrived, in milliseconds by a clock that all processes of this machine share. */
export type SinkAnswer = { port: number } | { id: number; at: number };

const END_OF_DATA = Buffer.from("\r\n.\r\n");
const URGENT = Buffer.from("RCPT TO:<urgent");
const replies: Readonly<Record<string, string>> = {
  EHLO: "250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n",
  DATA: "354 go on\r\n",
  QUIT: "221 2.0.0 bye\r\n",
};

const taken = { all: 0, urgent: 0 };
let delayMs = 0;
let waiting: Extract<SinkQuestion, { id: number }>[] = [];

function serve(socket: Socket): void {
  let inData = false;
  let urgent = false;
  let pending: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on("error", () => socket.destroy());
  const answer = (text: string) => {
    if (delayMs === 0) socket.write(text);
    else setTimeout(() => socket.write(text), delayMs);
  };
  answer("220 sink\r\n");
  socket.on("data", (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    let answers = "";
    for (;;) {
      const end = inData ? pending.indexOf(END_OF_DATA) : pending.indexOf("\r\n");
      if (end === -1) break;
      if (inData) {
        pending = pending.subarray(end + END_OF_DATA.length);
        inData = false;
        took(urgent);
        answers += `250 2.0.0 taken as ${taken.all}\r\n`;
      } else {
        const line = pending.subarray(0, end);
        pending = pending.subarray(end + 2);
        const verb = line.subarray(0, 4).toString("latin1").toUpperCase();
        if (verb === "RCPT") urgent = line.indexOf(URGENT) === 0;
        inData = verb === "DATA";
        answers += replies[verb] ?? "250 2.0.0 OK\r\n";
      }
    }
    if (answers !== "") answer(answers);
  });
}

function took(urgent: boolean): void {
  taken.all += 1;
  if (urgent) taken.urgent += 1;
  if (waiting.length > 0) tell();
}

function tell(): void {
  const at = Number(process.hrtime.bigint()) / 1e6;
  const due = waiting.filter(({ count, urgent }) => taken[urgent ? "urgent" : "all"] >= count);
  if (due.length === 0) return;
  waiting = waiting.filter((question) => !due.includes(question));
  for (const { id } of due) process.send?.({ id, at } satisfies SinkAnswer);
}

const server = createServer(serve).listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as { port: number }).port } satisfies SinkAnswer);
});
process.on("message", (question: SinkQuestion) => {
  if ("delayMs" in question) delayMs = question.delayMs;
  else {
    waiting.push(question);
    tell();
  }
});
process.on("disconnect", () => process.exit(0));
