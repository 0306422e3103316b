import { createServer, type AddressInfo, type Socket } from "node:net";

/** One mail as the server keeps it. */
type KeptMail = { uid: number; raw: Buffer; flags: Set<string>; receivedAt: Date };

export type ImapServer = {
  port: number;
  user: string;
  password: string;
  /** Of INBOX; changing the number means that the mails got others. */
  uidValidity: number;
  mails: KeptMail[];
  /** Commands of all connections, in their order, without their tags. */
  commands: string[];
  /** Connections that were made. */
  connections: number;
  /** What happens to a command instead of its answer, if anything. */
  fault: ((command: string) => "NO" | "hang up" | "silence" | undefined) | undefined;
  /** A mail arrives. Returns its number. */
  receive(raw: string | Buffer, receivedAt?: Date): number;
  close(): Promise<void>;
};

/**
 * An IMAP server (RFC 9051, without extensions) with one mailbox, INBOX, as far as a reader of bounces needs one: LOGIN,
 * SELECT, UID SEARCH by number or day, UID FETCH of headers and beginnings, UID STORE. What it does not know it refuses.
 */
export async function imapServer(): Promise<ImapServer> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    kept.connections += 1;
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => socket.destroy());
    serve(socket, kept);
  });
  const kept: ImapServer = {
    port: 0,
    user: "bounces@maple.example",
    password: "imap battery staple",
    uidValidity: 1,
    mails: [],
    commands: [],
    connections: 0,
    fault: undefined,
    receive(raw, receivedAt = new Date()) {
      const uid = Math.max(0, ...kept.mails.map((mail) => mail.uid)) + 1;
      kept.mails.push({ uid, raw: Buffer.from(raw), flags: new Set(), receivedAt });
      return uid;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  kept.port = (server.address() as AddressInfo).port;
  return kept;
}

function serve(socket: Socket, kept: ImapServer): void {
  let input = "";
  let state: "new" | "in" | "selected" = "new";
  const say = (text: string | Buffer) => socket.write(text);
  const answer = (tag: string, line: string): string | undefined => {
    const [, verb = "", rest = ""] = /^(UID \w+|\w+) ?(.*)$/i.exec(line) ?? [];
    const command = verb.toUpperCase();
    if (command === "CAPABILITY") say("* CAPABILITY IMAP4rev1\r\n");
    else if (command === "NOOP") return "OK done";
    else if (command === "LOGOUT") {
      say(`* BYE\r\n${tag} OK bye\r\n`);
      socket.end();
      return undefined;
    } else if (command === "LOGIN") {
      const [user, password] = strings(rest);
      if (user !== kept.user || password !== kept.password) {
        return "NO [AUTHENTICATIONFAILED] Authentication failed.";
      }
      state = "in";
    } else if (state === "new") return "BAD Log in first";
    else if (command === "LIST" || command === "LSUB") {
      say(`* ${command} () "/" ${rest.endsWith('""') ? '""' : "INBOX"}\r\n`);
    } else if (command === "SELECT") {
      if (strings(rest)[0]?.toUpperCase() !== "INBOX") return "NO [NONEXISTENT] Mailbox doesn't exist";
      state = "selected";
      const next = Math.max(0, ...kept.mails.map(({ uid }) => uid)) + 1;
      say("* FLAGS (\\Seen \\Deleted)\r\n* OK [PERMANENTFLAGS (\\Seen \\Deleted)] kept\r\n");
      say(
        `* ${kept.mails.length} EXISTS\r\n* OK [UIDVALIDITY ${kept.uidValidity}] ok\r\n* OK [UIDNEXT ${next}] ok\r\n`,
      );
      return "OK [READ-WRITE] selected";
    } else if (state !== "selected") return "BAD Select a mailbox first";
    else if (command === "UID SEARCH") {
      const found = searched(rest, kept.mails);
      if (!found) return "BAD Unknown search";
      say(`* SEARCH${found.map(({ uid }) => ` ${uid}`).join("")}\r\n`);
    } else if (command === "UID FETCH") return fetched(rest, kept.mails, say);
    else if (command === "UID STORE") {
      const [, set = "", flags = ""] = /^(\S+) \+FLAGS(?:\.SILENT)? \(([^)]*)\)$/i.exec(rest) ?? [];
      if (set === "") return "BAD Unknown store";
      for (const mail of numbered(set, kept.mails)) for (const flag of flags.split(" ")) mail.flags.add(flag);
    } else return "BAD Unknown command";
    return "OK done";
  };
  socket.on("data", (chunk) => {
    input += chunk.toString("latin1");
    for (let end = input.indexOf("\r\n"); end >= 0; end = input.indexOf("\r\n")) {
      const [, tag = "*", line = ""] = /^(\S+) (.*)$/.exec(input.slice(0, end)) ?? [];
      input = input.slice(end + 2);
      kept.commands.push(line.replace(/^LOGIN .*/i, "LOGIN …"));
      const fault = kept.fault?.(line);
      if (fault === "hang up") socket.destroy();
      const result = fault === undefined ? answer(tag, line) : fault === "NO" ? "NO Not now" : undefined;
      if (result !== undefined) say(`${tag} ${result}\r\n`);
    }
  });
  say("* OK IMAP here\r\n");
}

/** Quoted strings and atoms. */
function strings(text: string): string[] {
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(
    ([, quoted, atom]) => atom ?? quoted!.replace(/\\(.)/g, "$1"),
  );
}

/** `5`, `3:5`, `3:*`, `1,3`: `*` is the newest, wherever the range began. */
function numbered(set: string, mails: readonly KeptMail[]): KeptMail[] {
  const newest = Math.max(0, ...mails.map(({ uid }) => uid));
  const ranges = set.split(",").map((range) => {
    const ends = range.split(":").map((end) => (end === "*" ? newest : Number(end)));
    return [Math.min(...ends), Math.max(...ends)] as const;
  });
  return mails.filter(({ uid }) => ranges.some(([from, to]) => uid >= from && uid <= to));
}

function searched(query: string, mails: readonly KeptMail[]): KeptMail[] | undefined {
  const [, set] = /^UID (\S+)$/i.exec(query) ?? [];
  if (set !== undefined) return numbered(set, mails);
  const [, day] = /^SINCE (\S+)$/i.exec(query) ?? [];
  const since = day && Date.parse(`${day.replaceAll('"', "")} UTC`);
  return since ? mails.filter(({ receivedAt }) => receivedAt.getTime() >= since) : undefined;
}

function fetched(query: string, mails: readonly KeptMail[], say: (text: string | Buffer) => void): string {
  const [, set, items = ""] = /^(\S+) \((.*)\)$/.exec(query) ?? [];
  const asked = items.match(/[\w.]+(?:\[[^\]]*\](?:<[\d.]+>)?)?/g) ?? [];
  if (set === undefined || asked.length === 0) return "BAD Unknown fetch";
  for (const mail of numbered(set, mails)) {
    say(`* ${mails.indexOf(mail) + 1} FETCH (UID ${mail.uid}`);
    for (const item of asked) {
      const [, section, start, length] = /^BODY\.PEEK\[([^\]]*)\](?:<(\d+)\.(\d+)>)?$/i.exec(item) ?? [];
      if (/^UID$/i.test(item)) continue;
      if (/^INTERNALDATE$/i.test(item)) say(` INTERNALDATE "${dateTime(mail.receivedAt)}"`);
      else if (section === undefined) return "BAD Unknown item";
      else {
        const whole = section === "" ? mail.raw : headers(section, mail.raw);
        const part =
          start === undefined ? whole : whole.subarray(Number(start), Number(start) + Number(length));
        say(` BODY[${section}]${start === undefined ? "" : `<${start}>`} {${part.length}}\r\n`);
        say(part);
      }
    }
    say(")\r\n");
  }
  return "OK fetched";
}

/** `HEADER.FIELDS (CONTENT-TYPE)`: those fields of the mail, as they stand there, and an empty line. */
function headers(section: string, raw: Buffer): Buffer {
  const names = /^HEADER\.FIELDS \((.*)\)$/i.exec(section)?.[1]?.toLowerCase().split(" ") ?? [];
  const fields = raw
    .toString("latin1")
    .split(/\r\n\r\n/)[0]!
    .split(/\r\n(?![ \t])/);
  const wanted = fields.filter((field) => names.includes(field.slice(0, field.indexOf(":")).toLowerCase()));
  return Buffer.from([...wanted, "", ""].join("\r\n"), "latin1");
}

/** ` 5-Jan-2026 14:00:00 +0000`. */
function dateTime(at: Date): string {
  const [, day, month, year, time] = at.toUTCString().split(" ");
  return `${day}-${month}-${year} ${time} +0000`;
}
