import { transportContract, type Behavior, type Peer } from "../testing/contract.ts";
import { scriptedServer } from "./testing/scripted-server.ts";
import { transportTo } from "./testing/transport-to.ts";

const PASSWORD = "correct horse battery";

async function smtpPeer(): Promise<Peer> {
  let now: Behavior = { as: "usual" };
  const received: { to: string; text: string }[] = [];
  const recipients = new Map<number, string>();
  const server = await scriptedServer(
    {
      auth: () => (now.as === "refuse-key" ? `535 5.7.8 Login failed with ${PASSWORD}` : "235 2.7.0 ok"),
      mail: () => (now.as === "throttle" ? "421 4.7.0 Too many messages, slow down" : "250 2.1.0 ok"),
      rcpt: (line, session) => {
        const to = /<(.*)>/.exec(line)?.[1] ?? "";
        if (now.as === "refuse" && now.address === to) return "550 5.1.1 No such mailbox";
        recipients.set(session, to);
        return "250 2.1.5 ok";
      },
      end: (content, session) => {
        received.push({ to: recipients.get(session)!, text: plainText(content) });
        return now.as === "drop" ? "drop" : "250 2.0.0 queued as X1";
      },
    },
    "AUTH PLAIN",
  );
  return {
    channel: "email",
    secret: PASSWORD,
    received: () => received,
    behave: (behavior) => void (now = behavior),
    open: () =>
      transportTo(`smtp://ann:${encodeURIComponent(PASSWORD)}@127.0.0.1:${server.port}`, { connections: 2 }),
    close: () => server.close(),
  };
}

/** Decodes the quoted-printable text part of an email. */
function plainText(mail: string): string {
  const [, part = ""] = /text\/plain[^]*?\r\n\r\n([^]*?)\r\n--/.exec(mail) ?? [];
  const bytes = part
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8").replaceAll("\r\n", "\n");
}

transportContract("SMTP", smtpPeer, { throttledFor: "unknown", answersImmediately: true });
