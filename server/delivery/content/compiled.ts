import type { DetailField, NeededField } from "#server/audience/details.ts";
import type { ValueField } from "#server/audience/values.ts";
import type { Tracked } from "./tracked-html.ts";

/**
 * The text of a run, compiled once when the run starts. It is plain JSON because it is stored in
 * `content_versions.compiled` and read by any worker that sends the run, possibly after a restart.
 */
export type CompiledContent = {
  /** Version of this object's shape. A worker refuses a version it does not know. */
  version: 1;
  /** Unique to the run and never changed. References contain it, so two installations never share one. */
  key: string;
  /** Never leaves this installation: it signs the Message-IDs that bounces bring back. */
  secret: string;
  /** Every personal field that any channel needs, each once. Fields the sender filled in are already resolved. */
  fields: readonly string[];
  /** The details among them, and how each is written; left out if there are none. */
  details?: readonly DetailField[];
  /** Those that people have for this message alone; left out if there are none. */
  values?: readonly ValueField[];
  /** Each recipient's message carries a one-time link, made when it is sent. */
  passwordLink?: true;
  /** The product wrote it automatically. */
  automatic?: true;
  /** It is about the person's account, which no one can unsubscribe from. */
  aboutAccount?: true;
  email?: {
    /** Display name of the sender, unless the account has one of its own. */
    fromName: string;
    replyTo?: string;
    subject: Template;
    text: Template;
    html: Template;
    /** Set if our own tracking was on and the email may be tracked. */
    track?: Tracked;
  };
  sms?: { text: Template };
  push?: { title: Template; body: Template };
};

/** What the people of a run need a value for. */
export const neededIn = ({ fields, details = [], values = [] }: CompiledContent): NeededField[] => [
  ...fields,
  ...details,
  ...values,
];

/** Literal strings and the slots between them, in order. Literals are already escaped for their place. */
export type Template = readonly (string | Slot)[];

/** Where a value goes, and how it is written there. `field` is a field's name or one of `LINK_SLOTS`. */
export type Slot = {
  field: string;
  as: Writing;
  /** The text around it runs from the right. */
  around?: "rtl";
  /** Written as it is, whatever its direction: in a place that has no other text, or no tags. */
  bare?: true;
  /** Written if the recipient has no value of their own. */
  otherwise?: string;
};

/**
 * - `plain`: as it is (text parts, SMS, push)
 * - `line`: on one line, control characters removed (subject, push title)
 * - `html`: escaped, line breaks kept
 * - `html-line`: escaped, on one line
 * - `href`: percent-encoded inside an address
 */
export type Writing = "plain" | "line" | "html" | "html-line" | "href";

/** Field name to value. A name that is absent is unfilled; an empty string is filled, with nothing. */
export type FieldValues = Readonly<Record<string, string>>;

/**
 * Absolute http(s) addresses of the recipient's own pages. RFC 8058 one-click posts to `unsubscribe`. `password` is the
 * one-time link of a message that carries one.
 */
export type RecipientLinks = {
  unsubscribe: string;
  preferences: string;
  password?: string;
  /** The address of this installation, without a slash at its end, for the logo; "" in the console itself. */
  site?: string;
  /** The base of this email's own image and links, without a trailing slash; only if it is tracked. */
  tracked?: string;
};

/** Slots for the recipient's links. No field can have such a name, so nothing typed can replace them. */
export const LINK_SLOTS = {
  "@unsubscribe": "unsubscribe",
  "@preferences": "preferences",
  "@password": "password",
  "@site": "site",
  "@tracked": "tracked",
} as const;

export type LinkSlot = keyof typeof LINK_SLOTS;

/** A whole sentence: why the recipient gets an email. */
export const REASON = "@reason";

/** Until when a one-time link works. */
export const LINK_EXPIRY = "@expires";

/** Slots that are neither fields nor links. They have something to stand in for a value. */
export const isOwnSlot = (field: string): boolean => field === REASON || field === LINK_EXPIRY;

export function isLinkSlot(field: string): field is LinkSlot {
  return Object.hasOwn(LINK_SLOTS, field);
}

/** Bytes of one attachment and its name as recipients see it. */
export type Attachment = { name: string; type: string; bytes: Uint8Array };

/** Joins adjacent strings, as templates are stored. */
export function joined(pieces: Template): Template {
  const result: (string | Slot)[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (typeof piece === "string" && typeof last === "string") result[result.length - 1] = last + piece;
    else if (piece !== "") result.push(piece);
  }
  return result;
}

/** The addresses of a person's own pages, made from the person's token. */
export type LinksFor = (preferencesToken: string) => RecipientLinks;

/** `expires`: the moment, as the organization writes it. */
export type OneTimeLink = { url: string; expires: string };

/** Makes a one-time link for each of these deliveries that are about to be sent, by delivery. */
export type MintOneTimeLinks = (deliveryIds: readonly number[]) => Promise<ReadonlyMap<number, OneTimeLink>>;
