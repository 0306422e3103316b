import { type Channel, writtenAs } from "#contract/delivery.ts";
import { readableSize } from "#contract/text/file-size.ts";
import { isHomeField, isPersonField, parseTemplate } from "#contract/text/message-fields.ts";
import { directionOf, isolated } from "#contract/text/isolate.ts";
import { emailShell } from "./email-shell.ts";
import {
  isLinkSlot,
  isOwnSlot,
  joined,
  LINK_EXPIRY,
  REASON,
  type CompiledContent,
  type FieldValues,
  type Slot,
  type Template,
} from "./compiled.ts";
import { escapeFormatting, formatted } from "./formatting.ts";
import { mapSlots, messageHtml, plainMessage } from "./message-html.ts";
import type { Tracked } from "./tracked-html.ts";
import { reasonOf, type MessageKind } from "./reason.ts";
import type { DetailField } from "#server/audience/details.ts";
import type { ValueField } from "#server/audience/values.ts";
import { answered, LINK_EXPIRY_FIELD, ONE_TIME_LINK_FIELD } from "#server/messages/fields.ts";
import { cleanText, oneLine, write } from "./writing.ts";

export type Content = {
  title: string;
  /** Email subject; empty means the sender's default one for formatted text, otherwise the title. */
  subject: string;
  /** The message for every channel: text with `{{field}}`s. */
  content: string;
  /** The content is formatted text (`formatting.ts`), as an email template is; plain text otherwise. */
  formatted?: boolean;
  /** The values typed for the fields that the sender fills in. */
  answers: Readonly<Record<string, string>>;
  /** The details that people have. A value that was typed for everyone goes before them. */
  details?: readonly DetailField[];
  /** What people have for this message alone. It goes before both. */
  values?: readonly ValueField[];
  channels: readonly Channel[];
  attachments: readonly { name: string; size: number }[];
  /** Left out: it is only a preview. */
  kind?: MessageKind;
  /** A notice that someone may get who never asked for an account, and may want to stop. */
  mayUnsubscribe?: boolean;
};

/** What the button is called that opens the one-time link of a message of this kind. */
const buttons: Partial<Record<MessageKind, string>> = {
  credentials: "Choose a password",
  confirmation: "Confirm this address",
};

/** What the settings say when the run starts. */
export type Sender = {
  siteName: string;
  /** Reply-to address; empty means the account's own sender address. */
  replyTo?: string;
  /** Hash of the logo above emails. */
  logo?: string;
  /** Subject of formatted text that has none, as it is; empty means the title. */
  defaultSubject?: string;
  /** Prefix of every text message, followed by a space: "Maple Court:". */
  smsPrefix: string;
  emailSignature: string;
  emailFooter: string;
  /** Where the organization is; empty leaves its line out. */
  postalAddress?: string;
  /** What is counted of emails through accounts that don't count it themselves. */
  track?: Tracked;
};

/** Values that no one has filled in are missing; the message names each of `fields`. */
export class UnfilledFieldsError extends Error {
  readonly code = "unfilled_fields";
  readonly fields: readonly string[];
  constructor(fields: readonly string[]) {
    const names = fields.map((field) => `{{${field}}}`).join(", ");
    super(`No value for ${names}.`);
    this.name = "UnfilledFieldsError";
    this.fields = fields;
  }
}

/**
 * Runs once per run: compiles a template for each channel with everything already known filled in, so that only each
 * recipient's own fields and links remain. `today` is the run's day (`writtenDate`), `key` is unique to the run. Throws
 * TemplateError and UnfilledFieldsError.
 */
export function compile(
  content: Content,
  sender: Sender,
  run: { key: string; secret?: string; today: string },
): CompiledContent {
  const { kind } = content;
  const button = kind && buttons[kind];
  const values = content.values ?? [];
  const ofValues = new Set(values.map(({ field }) => field));
  const known: FieldValues = { ...answered(content.answers, ofValues), today: run.today };
  const title = fill(content.title, known);
  const subject = subjectOf(content, sender, { title, known });
  const written = trimmed(
    fill(content.content, known, {
      oneTimeLink: button !== undefined,
      writeValue: (value, inAddress) => {
        // A slash may be meant as one: "2026/11".
        const filled = inAddress ? write.href(value).replaceAll("%2F", "/") : write.plain(value);
        return content.formatted ? escapeFormatting(filled) : filled;
      },
    }),
  );
  const rich = content.formatted ? formatted(written) : null;
  const message = rich ? rich.plain : written;
  const details = (content.details ?? []).filter(({ field }) => !ofValues.has(field));
  requireAnswers([title, subject, message], [...details, ...values]);
  const plain = plainMessage(message);

  const compiled: CompiledContent = {
    version: 1,
    key: run.key,
    secret: run.secret ?? run.key,
    fields: [],
    ...(slotFields([message]).includes("@password") && { passwordLink: true }),
    ...(kind !== undefined && kind !== "message" && { automatic: true }),
    ...(((kind === "notice" && !content.mayUnsubscribe) || button !== undefined) && { aboutAccount: true }),
  };
  const templates: Template[] = [];
  const readings = new Set(content.channels.map(writtenAs));
  if (readings.has("email")) {
    const signature = trimmed([cleanText(sender.emailSignature)]);
    const footer = trimmed([cleanText(sender.emailFooter)]);
    const reason = reasonOf(kind, sender.siteName);
    // No stranger who gets a confirmation lives here.
    const because: Template =
      kind === "notice" || kind === "confirmation"
        ? [reason]
        : [{ field: REASON, as: "plain", bare: true, otherwise: reason }];
    const postal = postalLine(sender);
    const { track } = sender;
    const attached = attachmentNote(content.attachments);
    compiled.email = {
      fromName: oneLine(sender.siteName),
      ...(sender.replyTo ? { replyTo: sender.replyTo } : {}),
      subject: asLine(subject),
      text: joined([
        ...plain,
        ...(signature.length > 0 ? ["\n\n", ...signature] : []),
        ...(attached === "" ? [] : [`\n\n${attached}`]),
        "\n\n-- \n",
        ...because,
        "\n",
        ...(compiled.aboutAccount
          ? []
          : ([
              "Change what you get: ",
              { field: "@preferences", as: "plain" },
              "\nUnsubscribe: ",
              { field: "@unsubscribe", as: "plain" },
              "\n",
            ] as const)),
        ...(postal === "" ? [] : [`\n${postal}\n`]),
        ...(footer.length > 0 ? ["\n", ...footer, "\n"] : []),
      ]),
      html: emailShell({
        siteName: oneLine(sender.siteName),
        logo: sender.logo,
        heading: asLine(subject),
        message,
        messageHtml: rich ? rich.html : (style) => messageHtml(message, style),
        button,
        signature,
        because,
        links: !compiled.aboutAccount,
        postal,
        footer,
        attachmentNote: attached,
      }),
      ...(kind === "message" && (track?.opens || track?.clicks) && { track }),
    };
    templates.push(compiled.email.subject, compiled.email.text, compiled.email.html);
  }
  if (readings.has("sms")) {
    // A confirmation says itself who asks, also where no prefix is set.
    const prefix = kind === "confirmation" ? "" : oneLine(sender.smsPrefix);
    compiled.sms = { text: joined(prefix === "" ? plain : [`${prefix} `, ...plain]) };
    templates.push(compiled.sms.text);
  }
  if (readings.has("push")) {
    compiled.push = { title: asLine(title), body: plain };
    templates.push(compiled.push.title, compiled.push.body);
  }
  const used = slotFields(templates);
  const isUsed = ({ field }: { field: string }) => used.includes(field);
  return {
    ...compiled,
    fields: used.filter(isPersonField),
    ...(details.some(isUsed) && { details: details.filter(isUsed) }),
    ...(values.some(isUsed) && { values: values.filter(isUsed) }),
  };
}

/**
 * Notes at each value how the author's line around it runs. A line of nothing but values runs as they do, so there they
 * aren't isolated.
 */
function facing(template: Template): Template {
  const lines = [""];
  const lineOf = template.map((piece) => {
    const [first = "", ...more] = typeof piece === "string" ? piece.split("\n") : [];
    lines.push((lines.pop() ?? "") + first, ...more);
    return lines.length - 1;
  });
  return template.map((piece, index) => {
    if (typeof piece === "string" || isLinkSlot(piece.field)) return piece;
    const around = directionOf(lines[lineOf[index] ?? 0] ?? "");
    if (around === undefined) return { ...piece, bare: true };
    return around === "rtl" ? { ...piece, around } : piece;
  });
}

/** A template is written without a notification's title in mind, so where it has no subject the settings' stands in. */
function subjectOf(
  { subject, formatted: ofTemplate }: Content,
  { defaultSubject = "" }: Sender,
  { title, known }: { title: Template; known: FieldValues },
): Template {
  if (subject.trim() !== "") return fill(subject, known);
  return ofTemplate && defaultSubject !== "" ? [cleanText(defaultSubject)] : title;
}

type FillOptions = {
  oneTimeLink?: boolean | undefined;
  /** Writes a value for its place in the text. `inAddress`: behind an address's host. */
  writeValue?: ((value: string, inAddress: boolean) => string) | undefined;
};

/** The author's text with everything filled in that is the same for all recipients. */
function fill(
  text: string,
  known: FieldValues,
  { oneTimeLink = false, writeValue = write.plain }: FillOptions = {},
): Template {
  const pieces = parseTemplate(cleanText(text)).map((piece): string | Slot => {
    if (typeof piece === "string") return piece;
    if (oneTimeLink && piece.field === LINK_EXPIRY_FIELD) {
      return { field: LINK_EXPIRY, as: "plain", otherwise: "24 hours after it was sent" };
    }
    const isLink = oneTimeLink && piece.field === ONE_TIME_LINK_FIELD;
    return { field: isLink ? "@password" : piece.field, as: "plain" };
  });
  return joined(
    mapSlots(facing(pieces), (slot, place, next) => {
      const { field } = slot;
      const ofRun = !isPersonField(field) || isHomeField(field);
      const value = ofRun && Object.hasOwn(known, field) ? known[field] : undefined;
      if (value === undefined) return slot;
      const ends = typeof next === "string" && next.startsWith(".");
      // People end their answers like sentences, too.
      const said = ends ? value.replace(/\.\s*$/, "") : value;
      return writeValue(
        place === "text" && !slot.bare ? isolated(said, slot.around) : said,
        place === "path",
      );
    }),
  );
}

function requireAnswers(templates: readonly Template[], personal: readonly { field: string }[]): void {
  const kept = new Set(personal.map(({ field }) => field));
  const unfilled = slotFields(templates).filter(
    (field) => !isPersonField(field) && !isLinkSlot(field) && !isOwnSlot(field) && !kept.has(field),
  );
  if (unfilled.length > 0) throw new UnfilledFieldsError(unfilled);
}

function slotFields(templates: readonly Template[]): string[] {
  const slots = templates.flat().filter((piece): piece is Slot => typeof piece !== "string");
  return [...new Set(slots.map((slot) => slot.field))];
}

/** Without leading and trailing blank lines and spaces. */
function trimmed(template: Template): Template {
  const last = template.length - 1;
  return joined(
    template.map((piece, index) => {
      if (typeof piece !== "string") return piece;
      const start = index === 0 ? piece.trimStart() : piece;
      return index === last ? start.trimEnd() : start;
    }),
  );
}

/** The same on one line, for a subject or title. Outer blanks are removed, those beside a slot stay. */
function asLine(template: Template): Template {
  const lines = template.map((piece) =>
    typeof piece === "string"
      ? piece.replace(/[\t\n\u2028\u2029]+/g, " ")
      : { ...piece, as: "line" as const },
  );
  return trimmed(lines);
}

/** "Maple & Harbor, 12 Front Street, Eastmere, NY": the name once, and on one line. */
function postalLine({ siteName, postalAddress = "" }: Sender): string {
  const lines = cleanText(postalAddress).split("\n");
  const address = lines.map((line) => line.trim().replace(/,$/, "")).filter((line) => line !== "");
  const site = oneLine(siteName);
  const named = address[0]?.toLowerCase().startsWith(site.toLowerCase());
  return address.length === 0 ? "" : [...(named ? [] : [isolated(site)]), ...address].join(", ");
}

function attachmentNote(attachments: Content["attachments"]): string {
  const [first] = attachments;
  if (first === undefined) return "";
  const names = attachments.map(({ name, size }) => `${oneLine(name)} (${readableSize(size)})`).join(", ");
  return attachments.length === 1 ? `Attached: ${names}` : `${attachments.length} files attached: ${names}`;
}
