import { createServer, type AddressInfo, type Socket } from "node:net";

type SlowServer = {
  port: number;
  /** Recipients whose messages were accepted, in order. */
  taken: string[];
  /** The most messages in transit at one time. */
  most: () => number;
  close: () => Promise<void>;
};

/** An SMTP server behind a slow link: the limit in bytes per millisecond is shared by all connections. */
export async function slowServer(bytesPerMs: number): Promise<SlowServer> {
  const sockets = new Set<Socket>();
  const taken: string[] = [];
  let inContent = 0;
  let most = 0;
  let freeAt = performance.now();

  const server = createServer((socket) => {
    let rest = "";
    let content = false;
    let recipient = "";
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => socket.destroy());
    const answer = (line: string): boolean => socket.write(`${line}\r\n`);
    const command = (line: string) => {
      if (line.startsWith("RCPT")) recipient = line.slice(line.indexOf("<") + 1, line.indexOf("@"));
      if (!line.startsWith("DATA")) return answer("250 ok");
      content = true;
      inContent += 1;
      most = Math.max(most, inContent);
      return answer("354 go on");
    };
    const read = (chunk: Buffer) => {
      const text = rest + chunk.toString("latin1");
      const end = content ? text.indexOf("\r\n.\r\n") : text.lastIndexOf("\r\n");
      rest = end < 0 ? text.slice(-4) : text.slice(end + (content ? 5 : 2));
      if (!content && end >= 0) for (const line of text.slice(0, end).split("\r\n")) command(line);
      else if (end >= 0) {
        content = false;
        inContent -= 1;
        taken.push(recipient);
        answer("250 taken");
      }
    };
    socket.on("data", (chunk: Buffer) => {
      freeAt = Math.max(freeAt, performance.now()) + chunk.length / bytesPerMs;
      socket.pause();
      setTimeout(
        () => {
          read(chunk);
          socket.resume();
        },
        Math.max(0, freeAt - performance.now()),
      );
    });
    answer("220 slow");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    taken,
    most: () => most,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
