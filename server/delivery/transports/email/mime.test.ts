import * as fc from "fast-check";
import PostalMime from "postal-mime";
import { describe, expect, test } from "vitest";
import { compile, type Content } from "#server/delivery/content/compile.ts";
import { oneLine } from "#server/delivery/content/writing.ts";
import type { Attachment } from "#server/delivery/content/compiled.ts";
import type { Tracker } from "#server/delivery/receipts/tracking-address.ts";
import { encodedAttachment } from "#server/delivery/content/encoded-attachment.ts";
import { mailWriter, type Recipient } from "./mime.ts";

const date = new Date("2026-11-25T14:00:00Z");
const sender = {
  siteName: "Maple Court",
  smsPrefix: "",
  emailSignature: "",
  emailFooter: "",
  track: { opens: true, clicks: true },
};
const HEADERS = [
  "date",
  "from",
  "to",
  "subject",
  "message-id",
  "x-auto-response-suppress",
  "list-unsubscribe",
  "list-unsubscribe-post",
  "mime-version",
  "content-type",
];

type Parts = {
  content?: Partial<Content>;
  recipient?: Partial<Recipient>;
  attachments?: Attachment[];
  tracker?: Tracker;
};

function write({ content, recipient, attachments = [], tracker }: Parts): string {
  const compiled = compile(
    {
      title: "Hi",
      subject: "",
      content: "Hello",
      answers: {},
      channels: ["email"],
      attachments: [],
      ...content,
    },
    sender,
    { key: "run-1", today: "today" },
  );
  const run = { compiled, attachments: attachments.map(encodedAttachment) };
  const mail = mailWriter(
    run,
    { name: "", address: "office@maple.example" },
    tracker,
  )(
    {
      deliveryId: 7,
      address: "ann@example.com",
      name: "Ann Lee",
      values: {},
      links: { unsubscribe: "https://maple.example/u/T1", preferences: "https://maple.example/p/T1" },
      ...recipient,
    },
    date,
  );
  return Buffer.concat([mail.own, ...mail.shared]).toString("latin1");
}

async function read(parts: Parts) {
  const raw = write(parts);
  return { raw, mail: await PostalMime.parse(raw) };
}

/** What must be true of every message, whatever its input. */
function expectWellFormed(raw: string, longestLine = 78): void {
  expect(raw).not.toMatch(/[^\r]\n|\r[^\n]/);
  // oxlint-disable-next-line no-control-regex -- ASCII is the point
  expect(raw).toMatch(/^[\x09\x0a\x0d\x20-\x7e]*$/);
  expect(raw).not.toMatch(/^\./m);
  expect(Math.max(...raw.split("\r\n").map((line) => line.length))).toBeLessThanOrEqual(longestLine);
}

describe("tracking", () => {
  const tracker: Tracker = {
    site: "https://maple.example",
    addressOf: ({ deliveryId, round }) => `https://maple.example/m/${deliveryId}r${round}-${"s".repeat(22)}`,
  };
  const content = { content: "See https://city.example/?a=1&b=2.", kind: "message" } as const;

  test("each recipient's HTML has its own tracked links, and the text part keeps the plain ones", async () => {
    const { raw, mail } = await read({ content, tracker, recipient: { round: 2 } });
    expectWellFormed(raw);
    const own = tracker.addressOf({ deliveryId: 7, round: 2 });
    expect(mail.html).toContain(`<a href="${own}/0"`);
    expect(mail.html).toContain(`<img src="${own}/open.gif"`);
    expect(mail.text).toContain("See https://city.example/?a=1&b=2.");
    expect(mail.text).not.toContain("/m/");
  });

  test("changes nothing for an account that tracks by itself, or if it is off", () => {
    const notices = { ...content, kind: "notice" } as const;
    expect(write({ content: notices, tracker })).toBe(write({ content: notices }));
    expect(write({ content })).not.toContain("/m/");
  });
});

describe("the message", () => {
  test("offers one-click unsubscribe only over https, as mail clients require", async () => {
    const { raw } = await read({
      recipient: {
        links: { unsubscribe: "http://maple.example/u/T1", preferences: "http://maple.example/p/T1" },
      },
    });
    expect(raw).toContain("List-Unsubscribe: <http://maple.example/u/T1>\r\n");
    expect(raw).not.toContain("List-Unsubscribe-Post");
  });

  test("asks Exchange for no automatic replies, and says so if the product wrote it by itself", () => {
    const header = "X-Auto-Response-Suppress: OOF, AutoReply\r\n";
    expect(write({ content: { kind: "message" } })).toContain(header);
    expect(write({ content: { kind: "message" } })).not.toContain("Auto-Submitted");
    expect(write({ content: { kind: "notice" } })).toContain(`Auto-Submitted: auto-generated\r\n${header}`);
  });

  test("offers no unsubscribe where it is about the person's account", () => {
    for (const kind of ["credentials", "confirmation", "notice"] as const) {
      expect(write({ content: { kind } })).not.toMatch(/unsubscribe/i);
    }
    expect(write({ content: { kind: "test" } })).toContain("List-Unsubscribe: <");
    // Someone who learns of an account that they never asked for.
    expect(write({ content: { kind: "notice", mayUnsubscribe: true } })).toContain("List-Unsubscribe: <");
  });

  test("a long address to unsubscribe is on a line of its own", async () => {
    const unsubscribe = `https://notices.maple-court-property-management.example/unsubscribe/${"T".repeat(43)}`;
    const links = { unsubscribe, preferences: unsubscribe };
    const { raw, mail } = await read({ recipient: { links } });
    expect(raw).toContain(`List-Unsubscribe:\r\n <${unsubscribe}>\r\n`);
    expect(mail.headers.find(({ key }) => key === "list-unsubscribe")?.value).toBe(`<${unsubscribe}>`);
  });

  test("has its headers, a text and an HTML part, and a stable Message-ID", async () => {
    const { raw, mail } = await read({ recipient: { deliveryId: 41 } });
    expectWellFormed(raw);
    expect(mail.headers.map(({ key }) => key)).toEqual(HEADERS);
    expect(mail).toMatchObject({
      subject: "Hi",
      from: { name: "Maple Court", address: "office@maple.example" },
      to: [{ name: "Ann Lee", address: "ann@example.com" }],
      date: "2026-11-25T14:00:00.000Z",
      attachments: [],
    });
    expect(mail.messageId).toMatch(/^<d41\.[0-9a-f]{32}@maple\.example>$/);
    expect(mail.text).toMatch(/^Hello\n\n-- \n/);
    expect(mail.html).toContain(">Hello</p>");
    const header = (key: string) => mail.headers.find((candidate) => candidate.key === key)?.value;
    expect(header("list-unsubscribe")).toBe("<https://maple.example/u/T1>");
    expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    expect(raw).toContain("Date: Wed, 25 Nov 2026 14:00:00 +0000\r\n");
    expect(write({ recipient: { deliveryId: 41 } })).toBe(raw);
  });

  test("attachments arrive byte for byte, under any name", async () => {
    const names = [
      "plan.pdf",
      `Übersicht "neu"; a=b.pdf`,
      "חוזה שכירות.pdf",
      `${"лист ".repeat(60)}.png`,
      "../a/b\r\nX: 1",
    ];
    const bytes = Uint8Array.from({ length: 5000 }, (_, index) => (index * 7 + (index >> 8)) % 256);
    const attachments = names.map((name) => ({ name, type: "application/pdf", bytes }));
    const { raw, mail } = await read({ attachments });
    expectWellFormed(raw);
    expect(mail.attachments.map(({ filename }) => filename)).toEqual([...names.slice(0, 4), ".._a_b X: 1"]);
    for (const attachment of mail.attachments) {
      expect(attachment).toMatchObject({ mimeType: "application/pdf", disposition: "attachment" });
      expect(Buffer.from(attachment.content as ArrayBuffer).equals(Buffer.from(bytes))).toBe(true);
    }
    expect(mail.text).toMatch(/^Hello/);
    expect(mail.html).toContain("Hello");
  });

  test.each(["message/rfc822", "multipart/mixed", "text/html\r\nX-Evil: 1", ""])(
    "an attachment of type %j is sent as octet-stream",
    async (type) => {
      const { raw, mail } = await read({
        attachments: [{ name: "a", type, bytes: Buffer.from("Subject: x\n\ny") }],
      });
      expectWellFormed(raw);
      expect(mail.attachments).toMatchObject([{ mimeType: "application/octet-stream", filename: "a" }]);
    },
  );

  test.each([
    ["right-to-left", "תזכורת תשלום — شقة ٤"],
    ["emoji", "🏠 Rent due 👨‍👩‍👧‍👦"],
    ["10,000 letters without a space", "x".repeat(10_000)],
    ["10,000 emoji", "🏠".repeat(10_000)],
    ["an encoded word's lookalike", "=?utf-8?B?aGFjaw==?="],
    ["quotes, commas, brackets, backslashes", `"Lee, Ann" <x@y.example> (a) \\ @`],
    ["double blanks", "a  b"],
  ])("a subject and a name of %s arrive as they were", async (_kind, text) => {
    const { raw, mail } = await read({ content: { title: text }, recipient: { name: text } });
    expectWellFormed(raw);
    expect(mail.subject).toBe(text);
    expect(mail.to).toEqual([{ name: text, address: "ann@example.com" }]);
  });

  test.each(["Hi\r\nBcc: eve@evil.example", "Hi\n\n<script>", "Hi\rX-Evil: 1", "\u0000\u0007Hi\u2028X: 1"])(
    "%j in subject, name or file name adds no header",
    async (text) => {
      const { raw, mail } = await read({
        content: { title: text },
        recipient: { name: text },
        attachments: [{ name: text, type: "image/png", bytes: Buffer.from("x") }],
      });
      expectWellFormed(raw);
      expect(mail.headers.map(({ key }) => key)).toEqual(HEADERS);
      expect(mail.subject).toBe(oneLine(text));
      expect(mail.to).toEqual([{ name: oneLine(text), address: "ann@example.com" }]);
    },
  );

  test.each([
    ["dots at line starts", "..\n.\n.hidden\n...", ".\n.."],
    ["long lines", `${"y".repeat(5000)} ${"z ".repeat(2000)}`, "v".repeat(3000)],
    ["blanks before breaks", "a \t\nb \nc", "d \n e\t\nf"],
    ["what looks like a boundary or a soft break", "--=_a.x\n=\n=3D=_m", "=\n--"],
    ["bare carriage returns", "a\rb", "c\r\nd\re"],
  ])("a text and a value with %s arrive as they were", async (_kind, text, value) => {
    const { raw, mail } = await read({
      content: { content: `[${text}{{tenant_name}}${text}]` },
      recipient: { values: { tenant_name: value } },
    });
    expectWellFormed(raw);
    const expected = `[${text}${value}${text}]`.replace(/\r\n?/g, "\n");
    expect(mail.text?.startsWith(`${expected}\n\n-- \n`)).toBe(true);
  });

  test("any input arrives unchanged and adds no header", async () => {
    const any = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.string({ unit: "grapheme", maxLength: 200 }),
      fc.array(
        fc.constantFrom("\r\n", "\n", "Bcc: a@b", ".", "=", "=?", "?=", '"', ", ", "<", "é", "ש", "🏠", " "),
        {
          maxLength: 40,
        },
      ),
    );
    const typed = any
      .map((text) => (Array.isArray(text) ? text.join("") : text))
      // An opening brace before a field would become part of it.
      .filter((text) => !/\{\{|\{$/.test(text));
    await fc.assert(
      fc.asyncProperty(typed, typed, typed, async (subject, name, value) => {
        const { raw, mail } = await read({
          content: { title: `|${subject}|`, content: `|${subject}{{tenant_name}}|` },
          recipient: { name: `|${name}|`, values: { tenant_name: value } },
          attachments: [{ name: `|${name}|`, type: "image/png", bytes: Buffer.from(value) }],
        });
        expectWellFormed(raw);
        expect(mail.headers.map(({ key }) => key)).toEqual(HEADERS);
        expect(mail.subject).toBe(oneLine(`|${subject}|`));
        expect(mail.to).toEqual([{ name: oneLine(`|${name}|`), address: "ann@example.com" }]);
        expect(mail.attachments[0]?.filename).toBe(oneLine(`|${name}|`).replace(/[/\\]/g, "_"));
        const clean = (text: string) =>
          text
            .toWellFormed()
            .replace(/\r\n?/g, "\n")
            // oxlint-disable-next-line no-control-regex -- the documented stripping
            .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
        // A value of the other direction is set apart by marks (contract/text/isolate.ts).
        const unmarked = (text: string) => text.replaceAll(/[\u2068\u2069]/g, "");
        const written = `|${clean(subject)}${clean(value)}|\n\n-- \n`;
        expect(unmarked(mail.text ?? "").startsWith(unmarked(written))).toBe(true);
      }),
    );
  });
});
