import { createServer } from "node:net";
import type { Socket } from "node:net";

/**
 * An SMTP server that accepts everything, keeps nothing and counts: the other end of the benchmark, in its own process.
 * Parent and child use IPC: the port once, then the count on request.
 */

const END_OF_DATA = Buffer.from("\r\n.\r\n");
let taken = 0;

function serve(socket: Socket): void {
  let inData = false;
  let pending: Buffer = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on("error", () => socket.destroy());
  socket.write("220 sink\r\n");
  socket.on("data", (chunk: Buffer) => {
    pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    let answers = "";
    for (;;) {
      const end = inData ? pending.indexOf(END_OF_DATA) : pending.indexOf("\r\n");
      if (end === -1) break;
      if (inData) {
        pending = pending.subarray(end + END_OF_DATA.length);
        inData = false;
        taken += 1;
        answers += `250 2.0.0 taken as ${taken}\r\n`;
      } else {
        const verb = pending.subarray(0, 4).toString("latin1").toUpperCase();
        pending = pending.subarray(end + 2);
        inData = verb === "DATA";
        answers += replies[verb] ?? "250 2.0.0 OK\r\n";
      }
    }
    if (answers !== "") socket.write(answers);
  });
}

const replies: Readonly<Record<string, string>> = {
  EHLO: "250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n",
  DATA: "354 go on\r\n",
  QUIT: "221 2.0.0 bye\r\n",
};

const server = createServer(serve).listen(0, "127.0.0.1", () => {
  process.send?.({ port: (server.address() as { port: number }).port });
});
process.on("message", () => process.send?.({ taken }));
process.on("disconnect", () => process.exit(0));
