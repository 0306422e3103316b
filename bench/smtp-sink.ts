import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

/**
 * The cheapest mail server that still speaks SMTP with PIPELINING: takes every mail, keeps none, counts them. It
 * runs as a process of its own (`node bench/smtp-sink.ts`), so that it takes nothing from the sender's thread.
 * To its parent it sends `{ port }` when it listens, and its count when it is sent "count"; "stop" ends it.
 */

const END = "\r\n.\r\n";
const GOODBYE = "221 2.0.0 bye\r\n";
const REPLIES: Readonly<Record<string, string>> = {
  EHLO: "250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SIZE 50000000\r\n",
  HELO: "250 sink\r\n",
  DATA: "354 go on\r\n",
  QUIT: GOODBYE,
};

let mails = 0;

const server = createServer({ noDelay: true }, (socket) => {
  let rest: Buffer = Buffer.alloc(0);
  let inMail = false;
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => {
    let input: Buffer = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let replies = "";
    for (;;) {
      const end = input.indexOf(inMail ? END : "\r\n");
      if (end === -1) break;
      if (inMail) {
        inMail = false;
        mails += 1;
        replies += `250 2.0.0 taken as ${mails}\r\n`;
        input = input.subarray(end + END.length);
      } else {
        const verb = input.toString("latin1", 0, Math.min(end, 4)).toUpperCase();
        inMail = verb === "DATA";
        replies += REPLIES[verb] ?? "250 2.0.0 ok\r\n";
        input = input.subarray(end + 2);
      }
    }
    // The mail itself is dropped as it comes; only a dot line that is split between two chunks must be seen.
    rest = inMail && input.length > END.length ? input.subarray(-END.length) : input;
    if (replies !== "") socket.write(replies);
    if (replies.endsWith(GOODBYE)) socket.end();
  });
  socket.write("220 sink ESMTP\r\n");
});

server.listen(Number(process.argv[2] ?? 0), "127.0.0.1", () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.on("message", (request) => {
  if (request === "count") process.send?.({ mails });
  if (request === "stop") process.exit(0);
});
process.on("disconnect", () => process.exit(0));
