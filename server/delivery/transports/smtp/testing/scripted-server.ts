import { createServer, type AddressInfo, type Socket } from "node:net";

/** A reply line, or "drop" to close the connection, or "silence" to never answer. */
type Reply = string;

/** The server's replies at each step; normal ones by default. `session` counts connections from 1. */
export type Script = {
  greeting?: (session: number) => Reply;
  ehlo?: (session: number) => Reply;
  auth?: () => Reply;
  mail?: (line: string, session: number) => Reply;
  rcpt?: (line: string, session: number) => Reply;
  data?: (session: number) => Reply;
  /** On the first bytes of the content. */
  content?: (session: number) => Reply | undefined;
  /** After the final dot. */
  end?: (content: string, session: number) => Reply;
  /** How long that reply takes, in milliseconds. */
  endMs?: () => number;
};

export type ScriptedServer = {
  port: number;
  /** Commands of all connections, in order: "1 MAIL FROM:<…>". */
  commands: string[];
  /** Contents accepted with a 2xx reply. */
  taken: string[];
  sessions: () => number;
  /** The number of open connections. */
  open: () => number;
  connections: () => ReadonlySet<Socket>;
  /** Ends every connection from the server's side. */
  drop: () => void;
  close: () => Promise<void>;
};

/** An SMTP server for tests that misbehaves exactly as scripted. */
export async function scriptedServer(script: Script, extensions = "PIPELINING"): Promise<ScriptedServer> {
  const commands: string[] = [];
  const taken: string[] = [];
  const sockets = new Set<Socket>();
  let sessions = 0;

  const server = createServer((socket) => {
    sessions += 1;
    const session = sessions;
    let input = "";
    let inContent = false;
    let announced = false;
    let thinking = false;
    // Disables Nagle: each reply would wait 40 ms for the previous one's acknowledgement.
    socket.setNoDelay(true);
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());

    const answer = (reply: Reply) => {
      if (reply === "drop") socket.destroy();
      // Replies keep their order: after a silent answer, nothing that follows is answered.
      else if (reply === "silence") thinking = true;
      else socket.write(`${reply}\r\n`);
      if (reply.startsWith("421")) socket.end();
    };
    const command = (line: string) => {
      commands.push(`${session} ${line}`);
      const verb = line.split(" ")[0]!.toUpperCase();
      switch (verb) {
        case "EHLO":
          return answer(script.ehlo?.(session) ?? `250-test\r\n250 ${extensions}`);
        case "AUTH":
          return answer(script.auth?.() ?? "235 2.7.0 ok");
        case "MAIL":
          return answer(script.mail?.(line, session) ?? "250 2.1.0 ok");
        case "RCPT":
          return answer(script.rcpt?.(line, session) ?? "250 2.1.5 ok");
        case "DATA": {
          const refused = commands.findLast((earlier) => earlier.startsWith(`${session} RCPT`));
          const rcpt = script.rcpt?.(refused?.slice(2) ?? "", session) ?? "250";
          const reply =
            script.data?.(session) ?? (rcpt.startsWith("2") ? "354 go on" : "503 5.5.1 no recipients");
          inContent = reply.startsWith("354");
          announced = false;
          return answer(reply);
        }
        case "QUIT":
          answer("221 2.0.0 bye");
          return socket.end();
        case "RSET":
          return answer("250 2.0.0 ok");
        default:
          return answer("502 5.5.1 not known here");
      }
    };
    const serve = () => {
      while (!socket.destroyed && !thinking) {
        if (inContent && !announced && input !== "") {
          announced = true;
          const reply = script.content?.(session);
          if (reply !== undefined) return answer(reply);
        }
        const end = inContent ? input.indexOf("\r\n.\r\n") : input.indexOf("\r\n");
        if (end === -1) return;
        const text = input.slice(0, end);
        input = input.slice(end + (inContent ? 5 : 2));
        if (!inContent) command(text);
        else {
          inContent = false;
          const reply = script.end?.(text, session) ?? "250 2.0.0 queued as X1";
          if (reply.startsWith("2")) taken.push(text);
          const ms = script.endMs?.() ?? 0;
          if (ms === 0) answer(reply);
          else {
            // Replies keep their order, also to commands that are here already.
            thinking = true;
            setTimeout(() => {
              thinking = false;
              answer(reply);
              serve();
            }, ms);
          }
        }
      }
    };
    socket.on("data", (chunk) => {
      input += chunk.toString("latin1");
      serve();
    });
    answer(script.greeting?.(session) ?? "220 test ESMTP");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  const drop = () => sockets.forEach((socket) => socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    commands,
    taken,
    sessions: () => sessions,
    open: () => sockets.size,
    connections: () => new Set(sockets),
    drop,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      drop();
      await closed;
    },
  };
}
